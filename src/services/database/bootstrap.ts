/**
 * What the embedded database starts with: extension, schemas, roles, and what is taken away from everybody. It goes
 * into the prepared template, so a change here needs a new one (the build makes it).
 */

/** Functions that wait, lock, notify, measure or reach out; a query has no use for them. */
const WITHHELD = [
  'set_config', 'current_setting', 'lo_.*', 'txid_.*', 'inet_.*', 'query_to_xml.*', 'cursor_to_xml.*', 'table_to_xml.*', 'schema_to_xml.*', 'database_to_xml.*',
  'pg_(sleep|advisory|try_advisory|notify|listening|logical|export|import|read|ls_|stat|terminate|cancel|reload|rotate|switch|create|drop|replication|wal|promote|backup|copy|control|prepared|cursor|show|hba|ident|log|nextoid|stop|start|last|is_in_|get_wal|get_shmem|get_backend|get_wait|get_replication|get_publication|current_wal|current_logfile|current_snapshot|current_xact|xact|safe|blocking|lock|isolation|restore|clear|timezone|config|available|extension|tablespace|trigger_depth|postmaster|conf|my_temp|filenode|relation_file|relation_size|partition|indexes_size|table_size|total|database_size|column|input|event|sync|truncate|tzset|collation_actual|database_collation|jit).*',
].join('|')

/** Statements without values, run once as the owner in an empty database. */
export const BOOTSTRAP = `
create extension if not exists vector;
create schema if not exists arrowhead;
do $$ begin
  create role arrowhead_reader nologin;
  create role arrowhead_searcher nologin;
  create role arrowhead_writer nologin;
exception when duplicate_object then null; end $$;
revoke all on schema public from public;
grant usage on schema public to arrowhead_reader, arrowhead_searcher, arrowhead_writer;
alter default privileges in schema public grant select on tables to arrowhead_reader;
revoke all on schema arrowhead from public;
grant usage on schema arrowhead to arrowhead_searcher, arrowhead_writer;
revoke select on all tables in schema pg_catalog from public;
do $$ declare withheld record; begin
  execute format('revoke all on database %I from public', current_database());
  for withheld in select oid::regprocedure::text as name from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace and proname ~ '^(${WITHHELD})$'
      and proname !~ '^pg_(column_is_updatable|relation_is_updatable|partition_root|column_compression)$'
  loop execute format('revoke execute on function %s from public', withheld.name); end loop;
end $$;
create table if not exists arrowhead.migrations (name text primary key, applied_at timestamptz not null default now());
`
