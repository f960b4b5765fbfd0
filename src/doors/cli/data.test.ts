import { expect, it } from 'vitest'
import { memorySchemaSql, vectorSchemaSql } from '../../app/data-schema.ts'
import { loadSettings } from '../../config/index.ts'

const settings = (given: object) => loadSettings({ file: JSON.stringify(given) }).values

it('the printed schema has the roles, and each collection with the columns and dimensions that are set', () => {
  const sql = vectorSchemaSql(settings({ pgvectorCollections: ['handbook', 'Wiki'], pgvectorTenantColumn: 'org', embeddingDimensions: 384, ftsLanguage: 'german' }))
  for (const part of ['arrowhead_searcher', 'arrowhead_writer', 'create table arrowhead."handbook"', 'create table arrowhead."Wiki"', 'partition by list ("org")', 'vector(384)', "'german'::regconfig", 'using hnsw']) expect(sql).toContain(part)
})

it('vectors that are too wide for an index are searched exactly, and the schema says so', () => {
  const sql = vectorSchemaSql(settings({ embeddingDimensions: 3072, pgvectorMaxDimensions: 4000 }))
  expect(sql).toContain('vector(3072)')
  expect(sql).toContain('-- 3072 dimensions are more than an index takes: searches are exact.')
  expect(vectorSchemaSql(settings({ embeddingDimensions: 2000 }))).not.toContain('searches are exact.')
})

it('memories have an owner that is never empty', () => {
  expect(memorySchemaSql()).toContain("owner text not null check (owner <> '')")
})
