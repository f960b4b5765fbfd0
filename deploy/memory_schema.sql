-- Made by `arrowhead data init --sql`. It can be run again: a step that was applied is passed over.

begin;
create schema if not exists arrowhead;
create table if not exists arrowhead.migrations (name text primary key, applied_at timestamptz not null default now());

-- memory.base
do $step_memory_base$ begin
if not exists (select from arrowhead.migrations where name = 'memory.base') then
  insert into arrowhead.migrations (name) values ('memory.base');
  create schema if not exists arrowhead;
  do $$ begin create role arrowhead_memory nologin; exception when duplicate_object then null; end $$;
  revoke all on schema arrowhead from public;
  grant usage on schema arrowhead to arrowhead_memory;
  
  create table if not exists arrowhead.memories (
    owner text not null check (owner <> ''),
    namespace text not null,
    id text not null,
    content text not null,
    content_hash text not null,
    metadata jsonb not null,
    created_ms bigint not null,
    content_tsv tsvector generated always as (to_tsvector('english'::regconfig, content)) stored,
    primary key (owner, namespace, id),
    unique (owner, namespace, content_hash)
  );
  create index if not exists memories_words on arrowhead.memories using gin (content_tsv);
  
  create table if not exists arrowhead.key_values (
    owner text not null check (owner <> ''),
    key text not null,
    value text not null,
    expires_ms bigint,
    primary key (owner, key)
  );
  create index if not exists key_values_ending on arrowhead.key_values (expires_ms) where expires_ms is not null;
  grant select, insert, update, delete on arrowhead.memories, arrowhead.key_values to arrowhead_memory;
end if;
end $step_memory_base$;

commit;
