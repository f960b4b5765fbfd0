/**
 * The tables of this server's own state, for installations that keep it on a Postgres server: what callers leave
 * behind, tasks and timers, working sets, and a copy of the audit trail.
 */

import type { Migration } from '../../kernel/ports/database.ts'

const MEMORY = `create schema if not exists arrowhead;
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
grant select, insert, update, delete on arrowhead.memory_account, arrowhead.memory_space, arrowhead.memory, arrowhead.memory_word, arrowhead.memory_value to arrowhead_memory;`

const TASKS = `create table arrowhead.task (
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
grant select, insert, update, delete on arrowhead.task to arrowhead_memory;`

const SETS = `create table arrowhead.working_sets (owner text not null, name text not null, primary key (owner, name));
create table arrowhead.working_set_items (
  place bigint generated always as identity primary key, owner text not null, name text not null,
  kind text not null, identifier text not null, note text not null, unique (owner, name, kind, identifier),
  foreign key (owner, name) references arrowhead.working_sets (owner, name) on delete cascade
);
grant select, insert, update, delete on arrowhead.working_sets, arrowhead.working_set_items to arrowhead_memory;`

/** Rows are added and read, never changed: the chain is the trail's own, so a row that was altered shows. */
const AUDIT = `create table arrowhead.audit (
  chain text not null, seq bigint not null, body text not null, prev text not null, hash text not null, primary key (chain, seq)
);
grant select, insert on arrowhead.audit to arrowhead_memory;`

export const stateSchema = (): readonly Migration[] => [
  { name: 'state.memory', sql: MEMORY }, { name: 'state.tasks', sql: TASKS }, { name: 'state.sets', sql: SETS }, { name: 'state.audit', sql: AUDIT },
]
