#!/bin/sh
# The logins that the server uses, each with no more than it needs: `reader` for sql_query and searches, `writer` for
# the index, `keeper` for memory, tasks and the audit trail. Run once, by the database's first start.
set -eu
psql -v ON_ERROR_STOP=1 -U "${POSTGRES_USER:-postgres}" -d "$POSTGRES_DB" \
  -v reader="$READER_PASSWORD" -v writer="$WRITER_PASSWORD" -v keeper="$KEEPER_PASSWORD" <<'SQL'
create role reader login noinherit password :'reader';
create role writer login noinherit password :'writer';
create role keeper login password :'keeper';
grant arrowhead_searcher to reader;
grant arrowhead_writer to writer;
grant arrowhead_memory to keeper;
SQL
