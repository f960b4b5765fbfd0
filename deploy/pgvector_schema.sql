-- Made by `arrowhead data init --sql`. It can be run again: a step that was applied is passed over.

-- Logins of your own, which take a role for the statements that need it and reach no collection otherwise:
--   create role arrowhead_read login noinherit password '...';   grant arrowhead_searcher to arrowhead_read;
--   create role arrowhead_write login noinherit password '...';  grant arrowhead_writer to arrowhead_write;
--   grant select on the tables that sql_query may read to arrowhead_read;

begin;
create schema if not exists arrowhead;
create table if not exists arrowhead.migrations (name text primary key, applied_at timestamptz not null default now());

-- vectors.base
do $step_vectors_base$ begin
if not exists (select from arrowhead.migrations where name = 'vectors.base') then
  insert into arrowhead.migrations (name) values ('vectors.base');
  create extension if not exists vector;
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
  grant insert, update, delete on arrowhead.fillings to arrowhead_writer;
end if;
end $step_vectors_base$;

-- vectors.search-index
do $step_vectors_search_index$ begin
if not exists (select from arrowhead.migrations where name = 'vectors.search-index') then
  insert into arrowhead.migrations (name) values ('vectors.search-index');
  create or replace function arrowhead.part_name(wanted_collection text, hashed bytea) returns text
  language sql immutable set search_path = pg_catalog, pg_temp as $$
    select left(wanted_collection, 30) || '_of_' || left(encode(sha256(hashed), 'hex'), 24)
  $$;
  create or replace function arrowhead.part_name(wanted_collection text, wanted_tenant text) returns text
  language sql immutable set search_path = pg_catalog, pg_temp as $$
    select arrowhead.part_name(wanted_collection, convert_to(wanted_collection, 'UTF8') || '\x00'::bytea || convert_to(wanted_tenant, 'UTF8'))
  $$;
  
  -- A part belongs to the collection's own table. Those of earlier schemas have only the tenant in their hash.
  create or replace function arrowhead.part_of(wanted_collection text, wanted_tenant text) returns regclass
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select i.inhrelid::regclass from arrowhead.collections c
    cross join unnest(array[arrowhead.part_name(c.name, wanted_tenant), arrowhead.part_name(c.name, convert_to(wanted_tenant, 'UTF8'))]) as part
    join pg_inherits i on i.inhrelid = to_regclass(format('arrowhead.%I', part)) and i.inhparent = to_regclass(format('arrowhead.%I', c.name))
    where c.name = wanted_collection limit 1
  $$;
  
  -- Opens a tenant's part.
  create or replace function arrowhead.open_tenant(wanted_collection text, wanted_tenant text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
  declare part text := arrowhead.part_name(wanted_collection, wanted_tenant);
  begin
    if wanted_tenant = '' or not exists (select from arrowhead.collections where name = wanted_collection) then
      raise exception 'no such collection' using errcode = 'undefined_table';
    end if;
    if arrowhead.part_of(wanted_collection, wanted_tenant) is null then
      perform pg_advisory_xact_lock(hashtextextended(part, 0));
      execute format('create table if not exists arrowhead.%I partition of arrowhead.%I for values in (%L)', part, wanted_collection, wanted_tenant);
    end if;
  end $$;
  
  -- Finds a part for whoever changes what it is made of. One at a time does, until the end of its transaction.
  create or replace function arrowhead.take_part(wanted_collection text, wanted_tenant text) returns regclass
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
  declare part regclass := arrowhead.part_of(wanted_collection, wanted_tenant);
  begin
    if part is not null then perform pg_advisory_xact_lock(hashtextextended(part::text, 0)); end if;
    return part;
  end $$;
  revoke all on function arrowhead.part_name(text, bytea), arrowhead.part_name(text, text), arrowhead.part_of(text, text),
    arrowhead.open_tenant(text, text), arrowhead.take_part(text, text) from public;
  grant execute on function arrowhead.open_tenant(text, text) to arrowhead_writer;
  
  drop function if exists arrowhead.search_index_of(regclass);
  create or replace function arrowhead.search_indexes_of(part regclass) returns setof regclass
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select i.indexrelid::regclass from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where i.indrelid = part and a.amname = 'hnsw'
  $$;
  
  -- Drops the indexes of a part but one, or none of them where the part does not come free soon.
  create or replace function arrowhead.drop_search_indexes(part regclass, but regclass) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '200ms' as $$
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
    if written * 8 < (select reltuples from pg_class where oid = part) then return false; end if;
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
    if known.reltuples < 0 or written * 8 > known.reltuples or pages * 8 > known.relpages * 9 then
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
    if kept is null and known.reltuples >= 2000 then
      select format('%I %I.vector_cosine_ops', a.attname, n.nspname) into vectors from pg_attribute a
        join pg_type t on t.oid = a.atttypid and t.typname = 'vector'
        join pg_namespace n on n.oid = t.typnamespace
        where a.attrelid = part and a.attnum > 0 and a.atttypmod between 1 and 2000;
      if vectors is null then return; end if;
      if pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes('256MB') then
        perform set_config('maintenance_work_mem', '256MB', true);
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
  end $$;
end if;
end $step_vectors_search_index$;

-- vectors.collection:doc_chunks
do $step_vectors_collection_doc_chunks$ begin
if not exists (select from arrowhead.migrations where name = 'vectors.collection:doc_chunks') then
  insert into arrowhead.migrations (name) values ('vectors.collection:doc_chunks');
  create table arrowhead."doc_chunks" (
    "tenant" text not null check ("tenant" <> ''),
    "id" text not null,
    "content" text not null,
    "embedding" vector(1536) not null,
    "source" text not null,
    "chunk_index" integer not null,
    "content_hash" text not null,
    start_line integer,
    end_line integer,
    source_modified_ms bigint,
    indexed_at timestamptz not null default now(),
    "content_tsv" tsvector generated always as (to_tsvector('english'::regconfig, "content")) stored,
    primary key ("tenant", "id")
  ) partition by list ("tenant");
  create index on arrowhead."doc_chunks" using gin ("content_tsv");
  create index on arrowhead."doc_chunks" ("source" text_pattern_ops, "chunk_index");
  grant select on arrowhead."doc_chunks" to arrowhead_searcher, arrowhead_writer;
  grant insert, update, delete on arrowhead."doc_chunks" to arrowhead_writer;
  insert into arrowhead.collections (name, dimensions) values ('doc_chunks', 1536);
end if;
end $step_vectors_collection_doc_chunks$;

commit;
