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

/** How long a search may wait behind the lock under which an index goes. Every search of the part queues there. */
const DROP_WAIT = '200ms'

/**
 * Functions that run with their owner's rights, on listed collections only, and what earlier schemas had: an index
 * that was kept up to date row by row. Without it searches are exact until the next `doc_index`.
 */
export const SEARCH_INDEX = `drop function if exists arrowhead.search_index_of(regclass);
create or replace function arrowhead.search_indexes_of(part regclass) returns setof regclass
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select i.indexrelid::regclass from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
  where i.indrelid = part and a.amname = 'hnsw'
$$;

-- Drops the indexes of a part but one, or none of them where the part does not come free soon.
create or replace function arrowhead.drop_search_indexes(part regclass, but regclass) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '${DROP_WAIT}' as $$
declare old regclass;
begin
  for old in select i from arrowhead.search_indexes_of(part) i where i is distinct from but
  loop execute format('drop index %s', old); end loop;
end $$;

-- Takes the index away where a run writes much of the part. @returns whether there is none now.
create or replace function arrowhead.loosen_tenant(wanted_collection text, wanted_tenant text, written bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare part regclass := arrowhead.take_part(wanted_collection, wanted_tenant);
begin
  if not exists (select from arrowhead.search_indexes_of(part)) then return true; end if;
  if written * ${ANEW_FROM_PART} < (select reltuples from pg_class where oid = part) then return false; end if;
  perform arrowhead.drop_search_indexes(part, null);
  return true;
end $$;

-- Empties a part, and takes its index away.
create or replace function arrowhead.empty_tenant(wanted_collection text, wanted_tenant text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare part regclass := arrowhead.take_part(wanted_collection, wanted_tenant);
begin
  if part is null then return; end if;
  execute format('truncate %s', part);
  perform arrowhead.drop_search_indexes(part, null);
end $$;

-- After a run: puts away words that wait, tells the planner what the part holds, and builds the index that it lacks.
create or replace function arrowhead.settle_tenant(wanted_collection text, wanted_tenant text, written bigint) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  part regclass := arrowhead.take_part(wanted_collection, wanted_tenant);
  pages bigint := pg_relation_size(part) / current_setting('block_size')::int;
  known record;
  names text[];
  vectors text;
  build text;
  old regclass[];
  kept regclass;
begin
  if part is null then return; end if;
  select reltuples, relpages into known from pg_class where oid = part;
  if known.reltuples < 0 or written * ${ANEW_FROM_PART} > known.reltuples or pages * ${ANEW_FROM_PART} > known.relpages * ${ANEW_FROM_PART + 1} then
    -- What an index orders is what plans depend on; contents and vectors are long, and left out.
    select array_agg(distinct quote_ident(a.attname)) into names from pg_attribute a join pg_index i on i.indrelid = part and a.attnum = any (i.indkey)
      where a.attrelid = part and i.indexrelid not in (select arrowhead.search_indexes_of(part));
    execute format('analyze %s (%s)', part, array_to_string(names, ', '));
    select reltuples, relpages into known from pg_class where oid = part;
  end if;
  perform gin_clean_pending_list(i.indexrelid::regclass) from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where i.indrelid = part and a.amname = 'gin' and written > 0;
  -- Rows that were replaced stay in an index that nothing cleans, so one is kept until it has grown to twice its first
  -- size. That size is its comment; one without it was not made here, and goes.
  select i into kept from arrowhead.search_indexes_of(part) i
    where pg_relation_size(i) <= 2 * substring(obj_description(i, 'pg_class') from '^[0-9]{1,15}$')::bigint limit 1;
  if kept is null and known.reltuples >= ${INDEX_FROM_ROWS} then
    select format('%I %I.vector_cosine_ops', a.attname, n.nspname) into vectors from pg_attribute a
      join pg_type t on t.oid = a.atttypid and t.typname = 'vector'
      join pg_namespace n on n.oid = t.typnamespace
      where a.attrelid = part and a.attnum > 0 and a.atttypmod between 1 and ${INDEXED_DIMENSIONS};
    if vectors is null then return; end if;
    if pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes('${BUILD_MEMORY}') then
      perform set_config('maintenance_work_mem', '${BUILD_MEMORY}', true);
    end if;
    old := array(select arrowhead.search_indexes_of(part));
    build := format('create index on %s using hnsw (%s) with (m = 16, ef_construction = 64)', part, vectors);
    begin
      execute build;
    exception when insufficient_resources then
      -- Several workers share memory, of which a container often has little; one worker needs none of it.
      perform set_config('max_parallel_maintenance_workers', '0', true);
      execute build;
    end;
    select i into kept from arrowhead.search_indexes_of(part) i where i <> all (old);
    execute format('comment on index %s is %L', kept, pg_relation_size(kept));
  end if;
  -- Searches go on while an index is built, and wait only for this. Where it cannot be, all stays as it was.
  perform arrowhead.drop_search_indexes(part, kept);
end $$;
revoke all on function arrowhead.search_indexes_of(regclass), arrowhead.drop_search_indexes(regclass, regclass),
  arrowhead.loosen_tenant(text, text, bigint), arrowhead.empty_tenant(text, text), arrowhead.settle_tenant(text, text, bigint) from public;
grant execute on function arrowhead.loosen_tenant(text, text, bigint), arrowhead.empty_tenant(text, text), arrowhead.settle_tenant(text, text, bigint) to arrowhead_writer;

do $$ declare old regclass; begin
  for old in select c.oid from pg_class c join pg_am a on a.oid = c.relam join pg_index i on i.indexrelid = c.oid join pg_class t on t.oid = i.indrelid
    where a.amname = 'hnsw' and c.relkind = 'I' and t.relnamespace = 'arrowhead'::regnamespace and t.relname in (select name from arrowhead.collections)
  loop execute format('drop index %s', old); end loop;
end $$;`
