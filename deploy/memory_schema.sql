-- Made by `arrowhead data init --sql`. It can be run again: a step that was applied is passed over.

-- A login of your own, for ARROWHEAD_MEMORY_DSN:
--   create role arrowhead_app login password '...';  grant arrowhead_memory to arrowhead_app;

begin;
create schema if not exists arrowhead;
create table if not exists arrowhead.migrations (name text primary key, applied_at timestamptz not null default now());

-- state.memory
do $step_state_memory$ begin
if not exists (select from arrowhead.migrations where name = 'state.memory') then
  insert into arrowhead.migrations (name) values ('state.memory');
  create schema if not exists arrowhead;
  do $$ begin create role arrowhead_memory nologin; exception when duplicate_object then null; end $$;
  revoke all on schema arrowhead from public;
  grant usage on schema arrowhead to arrowhead_memory;
  
  create table arrowhead.memory_account (
    owner text not null check (owner <> '') primary key, used_bytes bigint not null, keys bigint not null, namespaces bigint not null
  );
  create table arrowhead.memory_space (
    number bigint generated always as identity primary key, owner text not null, name bytea not null,
    entries bigint not null default 0, words bigint not null default 0, unique (owner, name)
  );
  create table arrowhead.memory (
    number bigint generated always as identity primary key, space bigint not null references arrowhead.memory_space, id text not null,
    hash bytea not null, bytes integer not null, words integer not null, created_ms bigint not null,
    metadata bytea not null, content bytea not null, embedding bytea, embedded_by text,
    unique (space, id), unique (space, hash)
  );
  create table arrowhead.memory_word (
    space bigint not null, word text not null, memory bigint not null references arrowhead.memory on delete cascade,
    times integer not null, length integer not null, primary key (space, word, memory)
  );
  create index memory_word_memory on arrowhead.memory_word (memory);
  create table arrowhead.memory_value (
    owner text not null, key bytea not null, bytes integer not null, expires_ms bigint, content bytea not null, primary key (owner, key)
  );
  create index memory_value_ending on arrowhead.memory_value (owner, expires_ms) where expires_ms is not null;
  grant select, insert, update, delete on arrowhead.memory_account, arrowhead.memory_space, arrowhead.memory, arrowhead.memory_word, arrowhead.memory_value to arrowhead_memory;
end if;
end $step_state_memory$;

-- state.tasks
do $step_state_tasks$ begin
if not exists (select from arrowhead.migrations where name = 'state.tasks') then
  insert into arrowhead.migrations (name) values ('state.tasks');
  create table arrowhead.task (
    id text primary key, owner text not null, place text not null, caller text not null, kind text not null, status text not null,
    args text not null, series text not null, due_ms bigint not null, repeat_ms bigint not null,
    fence bigint not null, lease_until_ms bigint not null, attempts integer not null, waits integer not null,
    created_ms bigint not null, changed_ms bigint not null, result text, error text,
    is_fault integer not null, asks text, replies text, rowid bigint generated always as identity
  );
  create index task_owner on arrowhead.task (owner, status, changed_ms);
  create index task_scheduled on arrowhead.task (due_ms) where status = 'scheduled';
  create index task_working on arrowhead.task (place, due_ms) where status = 'working';
  create index task_changed on arrowhead.task (changed_ms) where status in ('completed', 'failed', 'cancelled');
  grant select, insert, update, delete on arrowhead.task to arrowhead_memory;
end if;
end $step_state_tasks$;

-- state.sets
do $step_state_sets$ begin
if not exists (select from arrowhead.migrations where name = 'state.sets') then
  insert into arrowhead.migrations (name) values ('state.sets');
  create table arrowhead.working_sets (owner text not null, name text not null, primary key (owner, name));
  create table arrowhead.working_set_items (
    place bigint generated always as identity primary key, owner text not null, name text not null,
    kind text not null, identifier text not null, note text not null, unique (owner, name, kind, identifier),
    foreign key (owner, name) references arrowhead.working_sets (owner, name) on delete cascade
  );
  grant select, insert, update, delete on arrowhead.working_sets, arrowhead.working_set_items to arrowhead_memory;
end if;
end $step_state_sets$;

-- state.audit
do $step_state_audit$ begin
if not exists (select from arrowhead.migrations where name = 'state.audit') then
  insert into arrowhead.migrations (name) values ('state.audit');
  create table arrowhead.audit (
    chain text not null, seq bigint not null, body text not null, prev text not null, hash text not null, primary key (chain, seq)
  );
  grant select, insert on arrowhead.audit to arrowhead_memory;
end if;
end $step_state_audit$;

commit;
