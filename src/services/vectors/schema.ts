/**
 * The schema of vector collections. Each tenant has a partition with indexes of its own, so another tenant's rows are
 * neither visited nor ranked nor counted. Whoever fills a collection needs no right to create tables or indexes.
 */

import type { Migration } from '../../kernel/ports/database.ts'
import type { ColumnNames } from './columns.ts'
import { quoted, quotedColumns, tableOf } from './columns.ts'
import { PARTS } from './parts.ts'
import { INDEXED_DIMENSIONS, SEARCH_INDEX } from './search-index.ts'

export interface CollectionSchema {
  readonly collections: readonly string[]
  readonly dimensions: number
  readonly columns: ColumnNames
  /** Postgres text search configuration. */
  readonly language: string
}

export const vectorMigrations = (schema: CollectionSchema): readonly Migration[] => [
  { name: 'vectors.base', sql: BASE },
  { name: 'vectors.search-index', sql: PARTS + SEARCH_INDEX },
  ...schema.collections.map((collection) => ({ name: collectionStep(collection), sql: collectionSql(collection, schema) })),
]

const collectionStep = (collection: string): string => `vectors.collection:${collection.toLowerCase()}`

const BASE = `create extension if not exists vector;
create schema if not exists arrowhead;
do $$ begin create role arrowhead_reader nologin; exception when duplicate_object then null; end $$;
do $$ begin create role arrowhead_searcher nologin; exception when duplicate_object then null; end $$;
do $$ begin create role arrowhead_writer nologin; exception when duplicate_object then null; end $$;
revoke all on schema arrowhead from public;
grant usage on schema arrowhead to arrowhead_searcher, arrowhead_writer;

create table if not exists arrowhead.collections (
  name text primary key,
  dimensions integer not null,
  created_at timestamptz not null default now()
);
create table if not exists arrowhead.fillings (
  collection text not null references arrowhead.collections (name) on delete cascade,
  tenant text not null,
  model text not null,
  changed_at timestamptz not null default now(),
  primary key (collection, tenant)
);
grant select on arrowhead.collections, arrowhead.fillings to arrowhead_searcher, arrowhead_writer;
grant insert, update, delete on arrowhead.fillings to arrowhead_writer;`

function collectionSql(collection: string, { dimensions, columns, language }: CollectionSchema): string {
  const [table, name] = [tableOf(collection), quotedColumns(columns)]
  const exact = dimensions > INDEXED_DIMENSIONS ? `-- ${dimensions} dimensions are more than an index takes: searches are exact.\n` : ''
  return `${exact}create table ${table} (
  ${name.tenant} text not null check (${name.tenant} <> ''),
  ${name.id} text not null,
  ${name.content} text not null,
  ${name.embedding} vector(${dimensions}) not null,
  ${name.source} text not null,
  ${name.chunkIndex} integer not null,
  ${name.contentHash} text not null,
  start_line integer,
  end_line integer,
  source_modified_ms bigint,
  indexed_at timestamptz not null default now(),
  ${name.tsvector} tsvector generated always as (to_tsvector('${quoted(language).slice(1, -1)}'::regconfig, ${name.content})) stored,
  primary key (${name.tenant}, ${name.id})
) partition by list (${name.tenant});
create index on ${table} using gin (${name.tsvector});
create index on ${table} (${name.source} text_pattern_ops, ${name.chunkIndex});
grant select on ${table} to arrowhead_searcher, arrowhead_writer;
grant insert, update, delete on ${table} to arrowhead_writer;
insert into arrowhead.collections (name, dimensions) values ('${quoted(collection).slice(1, -1)}', ${dimensions});`
}

/** Throws away what is derived from documents anyway, and makes an empty collection of the dimensions now set. */
export function rebuildSql(collection: string, schema: CollectionSchema): string {
  const name = quoted(collection).slice(1, -1)
  return `drop table if exists ${tableOf(collection)};
delete from arrowhead.collections where name = '${name}';
${collectionSql(collection, schema)}
insert into arrowhead.migrations (name) values ('${collectionStep(collection)}') on conflict do nothing;`
}
