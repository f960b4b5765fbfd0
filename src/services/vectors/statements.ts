/** The SQL of collections. Only configured identifiers stand in it; tenant, vector, words and limits are parameters. */

import type { ColumnNames } from './columns.ts'
import { quoted, quotedColumns, tableOf } from './columns.ts'

export interface CollectionStatements {
  /** $1 tenant, $2 vector as `real[]`, $3 hits. */
  readonly near: string
  /** $1 tenant, $2 vector, $3 hits, $4 words, $5 candidates of each branch, $6 constant of the fusion. */
  readonly fused: string
  /** $1 tenant; sources from $2, after $3, up to $4. */
  readonly known: string
  /** $1 tenant, $2 sources. */
  readonly removeSources: string
  /** $1 tenant, $2 ids to keep, $3 sources. */
  readonly removeOthers: string
  /** $1 tenant; lists of one length: $2 sources, $3 when they were modified. */
  readonly touch: string
  /**
   * Lists of one length: $2 ids, $3 contents, $5 sources, $6 indexes, $7 hashes, $8 and $9 lines, $10 modified; $1 tenant.
   * $4 holds the vectors one after the other as `real[]`, $11 how many numbers each has.
   */
  readonly write: string
  /** As `write`, with the ids that hold the vector already in $4, and no $11. One that has another text by now gives none: the next run does. */
  readonly move: string
}

export function collectionStatements(collection: string, columns: ColumnNames, language: string): CollectionStatements {
  const [table, c] = [tableOf(collection), quotedColumns(columns)]
  const config = `'${quoted(language).slice(1, -1)}'::regconfig`
  const shown = `t.${c.source}, t.${c.chunkIndex}, t.start_line, t.end_line, t.${c.content}, t.indexed_at, t.source_modified_ms`
  const nearest = (limit: string) => `select ${c.id} as id, ${c.embedding} <=> $2::real[]::vector as distance from ${table}
    where ${c.tenant} = $1 order by ${c.embedding} <=> $2::real[]::vector limit ${limit}`
  // A vector of zeros, asked for or stored, has no angle to any other: it is near to nothing, and sorted last.
  const comparable = `n.distance <> 'NaN'`
  const kept = [c.content, c.source, c.chunkIndex, c.contentHash, c.embedding, 'start_line', 'end_line', 'source_modified_ms', 'indexed_at']
  const insert = `insert into ${table} (${c.tenant}, ${c.id}, ${kept.join(', ')})`
  const over = `on conflict (${c.tenant}, ${c.id}) do update set ${kept.map((name) => `${name} = excluded.${name}`).join(', ')}`
  const lists = (given = '') => `unnest($2::text[], $3::text[], $5::text[], $6::int[], $7::text[], $8::int[], $9::int[], $10::bigint[]${given})`
  const named = 'id, content, source, chunk_index, hash, start_line, end_line, modified'
  return {
    near: `select ${shown}, 1 - n.distance as score from (${nearest('$3::int')}) n
  join ${table} t on t.${c.tenant} = $1 and t.${c.id} = n.id where ${comparable} order by n.distance, n.id`,
    // One word that matches is enough, and more rank higher: a question is rarely answered in all of its own words.
    fused: `with asked as (select replace(plainto_tsquery(${config}, $4)::text, ' & ', ' | ')::tsquery as words),
near as (select id, row_number() over (order by distance, id) as rank from (${nearest('$5::int')}) n where ${comparable}),
worded as (
  select id, row_number() over (order by weight desc, id) as rank from (
    select ${c.id} as id, ts_rank_cd(${c.tsvector}, asked.words, 1) as weight from ${table}, asked
    where ${c.tenant} = $1 and ${c.tsvector} @@ asked.words order by weight desc, id limit $5::int) w),
ranked as (
  select id, sum(1.0 / ($6::int + rank)) as score from (select id, rank from near union all select id, rank from worded) r
  group by id order by score desc, id limit $3::int)
select ${shown}, ranked.score from ranked join ${table} t on t.${c.tenant} = $1 and t.${c.id} = ranked.id order by ranked.score desc, ranked.id`,
    known: `select ${c.id}, ${c.source}, ${c.chunkIndex}, ${c.contentHash}, start_line, end_line, source_modified_ms from ${table}
  where ${c.tenant} = $1 and ${c.source} ~>=~ $2 and ${c.source} ~>~ $3 and ${c.source} ~<=~ $4 order by ${c.source} using ~<~, ${c.chunkIndex}`,
    touch: `update ${table} set source_modified_ms = n.modified from unnest($2::text[], $3::bigint[]) as n (source, modified)
  where ${c.tenant} = $1 and ${table}.${c.source} = n.source and source_modified_ms is distinct from n.modified`,
    removeSources: `delete from ${table} where ${c.tenant} = $1 and ${c.source} = any($2::text[])`,
    removeOthers: `delete from ${table} where ${c.tenant} = $1 and ${c.source} = any($3::text[]) and not (${c.id} = any($2::text[]))`,
    // Cut out of one list of numbers: reading each from text would take longer than all the rest of a write.
    write: `${insert} select $1, n.id, n.content, n.source, n.chunk_index, n.hash,
    (($4::real[])[(n.place::int - 1) * $11::int + 1 : n.place::int * $11::int])::vector, n.start_line, n.end_line, n.modified, now()
  from ${lists()} with ordinality as n (${named}, place) ${over}`,
    move: `${insert} select $1, n.id, n.content, n.source, n.chunk_index, n.hash, old.${c.embedding}, n.start_line, n.end_line, n.modified, now()
  from ${lists(', $4::text[]')} as n (${named}, given) join ${table} old on old.${c.tenant} = $1 and old.${c.id} = n.given and old.${c.contentHash} = n.hash ${over}`,
  }
}
