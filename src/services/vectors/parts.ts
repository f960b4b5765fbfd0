/**
 * A tenant's part of a collection: how it is named, found and opened. Its name holds as much of the collection's as
 * people need to read, and a hash of all of both names, so no two collections share one.
 */

/** Functions that run with their owner's rights, on listed collections only. */
export const PARTS = `create or replace function arrowhead.part_name(wanted_collection text, hashed bytea) returns text
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select left(wanted_collection, 30) || '_of_' || left(encode(sha256(hashed), 'hex'), 24)
$$;
create or replace function arrowhead.part_name(wanted_collection text, wanted_tenant text) returns text
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select arrowhead.part_name(wanted_collection, convert_to(wanted_collection, 'UTF8') || '\\x00'::bytea || convert_to(wanted_tenant, 'UTF8'))
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

`
