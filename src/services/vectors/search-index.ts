/**
 * The search index of a tenant's partition. A small part has none, because reading all of it is fast and exact. A
 * large one gets it at the end of a run, built at once, which takes a fraction of what adding row by row does.
 */

/** Rows from which a part has an index. */
export const INDEX_FROM_ROWS = 2000

/** A run that writes more than one row of so many builds the index anew instead of adding to it. */
const ANEW_FROM_PART = 8

/** pgvector indexes no wider vector of this type; wider ones are searched exactly. */
export const INDEXED_DIMENSIONS = 2000

/** What one build may hold in memory; a larger graph is finished on disk, slowly. */
export const BUILD_MEMORY = '256MB'

/**
 * Functions that run with their owner's rights, on listed collections only, and what earlier schemas had: an index
 * that was kept up to date row by row. Without it searches are exact until the next `doc_index`.
 */
export const SEARCH_INDEX = `create or replace function arrowhead.part_of(wanted_collection text, wanted_tenant text) returns regclass
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select to_regclass(format('arrowhead.%I', left(name, 30) || '_of_' || left(encode(sha256(convert_to(wanted_tenant, 'UTF8')), 'hex'), 24)))
  from arrowhead.collections where name = wanted_collection
$$;
create or replace function arrowhead.search_index_of(part regclass) returns regclass
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select i.indexrelid::regclass from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
  where i.indrelid = part and a.amname = 'hnsw' limit 1
$$;

-- Takes the index away where a run writes much of the part. @returns whether there is none now.
create or replace function arrowhead.loosen_tenant(wanted_collection text, wanted_tenant text, written bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  part regclass := arrowhead.part_of(wanted_collection, wanted_tenant);
  built regclass := arrowhead.search_index_of(part);
begin
  if built is null then return true; end if;
  if written * ${ANEW_FROM_PART} < (select reltuples from pg_class where oid = part) then return false; end if;
  execute format('drop index %s', built);
  return true;
end $$;

-- Empties a part, and takes its index away.
create or replace function arrowhead.empty_tenant(wanted_collection text, wanted_tenant text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare part regclass := arrowhead.part_of(wanted_collection, wanted_tenant);
begin
  if part is null then return; end if;
  execute format('truncate %s', part);
  perform arrowhead.loosen_tenant(wanted_collection, wanted_tenant, 9223372036854775807 / ${ANEW_FROM_PART});
end $$;

-- After a run: puts away words that wait, tells the planner what the part holds, and builds the index that it lacks.
create or replace function arrowhead.settle_tenant(wanted_collection text, wanted_tenant text, written bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  part regclass := arrowhead.part_of(wanted_collection, wanted_tenant);
  pages bigint := pg_relation_size(part) / current_setting('block_size')::int;
  known record;
  names text[];
  vectors text;
  built regclass := arrowhead.search_index_of(part);
begin
  if part is null then return; end if;
  select reltuples, relpages into known from pg_class where oid = part;
  if known.reltuples < 0 or written * ${ANEW_FROM_PART} > known.reltuples or pages * ${ANEW_FROM_PART} > known.relpages * ${ANEW_FROM_PART + 1} then
    -- What an index orders is what plans depend on; contents and vectors are long, and left out.
    select array_agg(distinct quote_ident(a.attname)) into names from pg_attribute a join pg_index i on i.indrelid = part and a.attnum = any (i.indkey)
      where a.attrelid = part and i.indexrelid is distinct from built;
    execute format('analyze %s (%s)', part, array_to_string(names, ', '));
    select reltuples, relpages into known from pg_class where oid = part;
  end if;
  perform gin_clean_pending_list(i.indexrelid::regclass) from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where i.indrelid = part and a.amname = 'gin' and written > 0;
  -- Rows that were replaced stay in an index that nothing cleans, so one that has grown to twice its first size is made anew.
  if pg_relation_size(built) > 2 * obj_description(built, 'pg_class')::bigint then
    execute format('drop index %s', built);
    built := null;
  end if;
  if known.reltuples < ${INDEX_FROM_ROWS} or built is not null then return; end if;
  select format('%I %I.vector_cosine_ops', a.attname, n.nspname) into vectors from pg_attribute a
    join pg_type t on t.oid = a.atttypid and t.typname = 'vector'
    join pg_namespace n on n.oid = t.typnamespace
    where a.attrelid = part and a.attnum > 0 and a.atttypmod between 1 and ${INDEXED_DIMENSIONS};
  if vectors is null then return; end if;
  if pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes('${BUILD_MEMORY}') then
    perform set_config('maintenance_work_mem', '${BUILD_MEMORY}', true);
  end if;
  begin
    execute format('create index on %s using hnsw (%s) with (m = 16, ef_construction = 64)', part, vectors);
  exception when insufficient_resources then
    -- Several workers share memory, of which a container often has little; one worker needs none of it.
    perform set_config('max_parallel_maintenance_workers', '0', true);
    execute format('create index on %s using hnsw (%s) with (m = 16, ef_construction = 64)', part, vectors);
  end;
  built := arrowhead.search_index_of(part);
  execute format('comment on index %s is %L', built, pg_relation_size(built));
end $$;
revoke all on function arrowhead.part_of(text, text), arrowhead.search_index_of(regclass), arrowhead.loosen_tenant(text, text, bigint),
  arrowhead.empty_tenant(text, text), arrowhead.settle_tenant(text, text, bigint) from public;
grant execute on function arrowhead.loosen_tenant(text, text, bigint), arrowhead.empty_tenant(text, text), arrowhead.settle_tenant(text, text, bigint) to arrowhead_writer;

do $$ declare old regclass; begin
  for old in select c.oid from pg_class c join pg_am a on a.oid = c.relam join pg_index i on i.indexrelid = c.oid join pg_class t on t.oid = i.indrelid
    where a.amname = 'hnsw' and c.relkind = 'I' and t.relnamespace = 'arrowhead'::regnamespace and t.relname in (select name from arrowhead.collections)
  loop execute format('drop index %s', old); end loop;
end $$;`
