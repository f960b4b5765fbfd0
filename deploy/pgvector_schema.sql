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
  
  -- Opens a tenant's partition. It runs with its owner's rights, and only on collections that are listed.
  create or replace function arrowhead.open_tenant(wanted_collection text, wanted_tenant text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
  declare part text := left(wanted_collection, 30) || '_of_' || left(encode(sha256(convert_to(wanted_tenant, 'UTF8')), 'hex'), 24);
  begin
    if wanted_tenant = '' or not exists (select from arrowhead.collections where name = wanted_collection) then
      raise exception 'no such collection' using errcode = 'undefined_table';
    end if;
    if to_regclass(format('arrowhead.%I', part)) is null then
      perform pg_advisory_xact_lock(hashtextextended(part, 0));
      execute format('create table if not exists arrowhead.%I partition of arrowhead.%I for values in (%L)', part, wanted_collection, wanted_tenant);
    end if;
  end $$;
  revoke all on function arrowhead.open_tenant(text, text) from public;
  grant execute on function arrowhead.open_tenant(text, text) to arrowhead_writer;
end if;
end $step_vectors_base$;

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
  create index on arrowhead."doc_chunks" using hnsw ("embedding" vector_cosine_ops) with (m = 16, ef_construction = 128);
  create index on arrowhead."doc_chunks" using gin ("content_tsv");
  create index on arrowhead."doc_chunks" ("source" text_pattern_ops, "chunk_index");
  grant select on arrowhead."doc_chunks" to arrowhead_searcher, arrowhead_writer;
  grant insert, update, delete on arrowhead."doc_chunks" to arrowhead_writer;
  insert into arrowhead.collections (name, dimensions) values ('doc_chunks', 1536);
end if;
end $step_vectors_collection_doc_chunks$;

commit;
