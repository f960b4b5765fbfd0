#!/usr/bin/env bash
# Engines for the tests: a private Postgres (with pgvector where it can be built), MariaDB, Redis and an S3-speaking
# server in a temporary folder, on ports of their own, without touching what the machine runs already.
#
#   eval "$(scripts/test-services.sh start)"      starts them and prints what the tests read
#   scripts/test-services.sh start --no-install   uses only what is there
#   scripts/test-services.sh start redis s3       starts only these (postgres, mariadb, redis, s3)
#   scripts/test-services.sh stop
set -euo pipefail

base="${ARROWHEAD_TEST_SERVICES_DIR:-${TMPDIR:-/tmp}/arrowhead-test-services}"
pg_port="${ARROWHEAD_TEST_POSTGRES_PORT:-54329}"
maria_port="${ARROWHEAD_TEST_MARIADB_PORT:-33069}"
redis_port="${ARROWHEAD_TEST_REDIS_PORT:-63799}"
s3_port="${ARROWHEAD_TEST_S3_PORT:-45690}"
install=yes

say() { printf 'test-services: %s\n' "$*" >&2; }
is_root() { [ "$(id -u)" -eq 0 ]; }
# Databases refuse to run as root; a user of their own comes with their packages.
as() {
  local user=$1
  shift
  if is_root; then runuser -u "$user" -- "$@"; else "$@"; fi
}
pg_bin() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1; }
can_install() { [ "$install" = yes ] && is_root && command -v apt-get >/dev/null; }
apt_get() { DEBIAN_FRONTEND=noninteractive apt-get "$@" >>"$base/install.log" 2>&1; }
# Lists of packages that are old, or not there yet, are fetched once.
apt_install() { apt_get install -y --no-install-recommends "$@" || { apt_get update && apt_get install -y --no-install-recommends "$@"; }; }

# Debian 13 ships pgvector as a package. Debian 12 does not, so it is built from Debian 13's sources.
install_pgvector() {
  local bin=$1 major
  major=$(basename "$(dirname "$bin")")
  [ -e "$("$bin/pg_config" --sharedir)/extension/vector.control" ] && return
  can_install || return 0
  apt_install "postgresql-$major-pgvector" && return
  local mirror work="$base/pgvector"
  mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -1 | tr -d ' ') || true
  mkdir -p "$work"/lists/partial "$work"/cache/archives/partial "$work"/b
  (
    cd "$work"
    printf 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s trixie main\n' "$mirror" >src.list
    local options=(-o "Dir::Etc::SourceList=$PWD/src.list" -o Dir::Etc::SourceParts=/nonexistent -o "Dir::State::Lists=$PWD/lists" -o "Dir::Cache=$PWD/cache")
    apt-get "${options[@]}" update && apt-get "${options[@]}" source --download-only pgvector &&
      apt-get install -y --no-install-recommends "postgresql-server-dev-$major" make gcc &&
      tar xf pgvector_*.orig.tar.gz -C b --strip-components=1 &&
      make -C b -j2 OPTFLAGS="" PG_CONFIG="$bin/pg_config" && make -C b install PG_CONFIG="$bin/pg_config"
  ) >>"$base/install.log" 2>&1 || say "pgvector could not be built; see $base/install.log"
}

start_postgres() {
  [ -n "$(pg_bin)" ] || { can_install && apt_install postgresql; } || true
  local bin data="$base/postgres"
  bin=$(pg_bin)
  [ -n "$bin" ] || { say "no Postgres here; its tests will be skipped"; return 0; }
  install_pgvector "$bin"
  if [ ! -d "$data" ]; then
    mkdir -p "$data" && { ! is_root || chown postgres "$data"; }
    as postgres "$bin/initdb" -D "$data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 >/dev/null
  fi
  as postgres "$bin/pg_ctl" -D "$data" status >/dev/null 2>&1 ||
    as postgres "$bin/pg_ctl" -D "$data" -l "$data/log" -w -o "-p $pg_port -c listen_addresses=127.0.0.1 -k $data -c fsync=off" start >/dev/null
  local sql="$bin/psql -h 127.0.0.1 -p $pg_port -U postgres -v ON_ERROR_STOP=1 -qAt"
  $sql -c "select 1 from pg_roles where rolname = 'app'" postgres | grep -q 1 || $sql -c 'create role app login createdb createrole' -c 'create database app owner app' postgres
  $sql -c 'create extension if not exists vector' app 2>/dev/null || say "Postgres has no pgvector"
  echo "export ARROWHEAD_TEST_POSTGRES=postgresql://app@127.0.0.1:$pg_port/app"
  # What applies a schema makes roles and extensions, so it is tested as the database's owner.
  $sql -c "select 1 from pg_database where datname = 'vectors'" postgres | grep -q 1 || $sql -c 'create database vectors' postgres
  if $sql -c 'create extension if not exists vector' vectors 2>/dev/null; then echo "export ARROWHEAD_TEST_POSTGRES_VECTOR=postgresql://postgres@127.0.0.1:$pg_port/vectors"; fi
}

start_mariadb() {
  command -v mariadbd >/dev/null || { can_install && apt_install mariadb-server; } || true
  command -v mariadbd >/dev/null || { say "no MariaDB here; its tests will be skipped"; return 0; }
  local data="$base/mariadb"
  if [ ! -d "$data/mysql" ]; then
    mkdir -p "$data" && { ! is_root || chown mysql "$data"; }
    as mysql mariadb-install-db --no-defaults --datadir="$data" --auth-root-authentication-method=normal --skip-test-db >/dev/null
  fi
  if ! mariadb-admin --no-defaults -h 127.0.0.1 -P "$maria_port" -u root ping >/dev/null 2>&1; then
    (as mysql mariadbd --no-defaults --datadir="$data" --bind-address=127.0.0.1 --port="$maria_port" --socket="$data/socket" --pid-file="$data/pid" >"$base/mariadb.log" 2>&1 </dev/null &)
    for _ in $(seq 100); do
      mariadb-admin --no-defaults -h 127.0.0.1 -P "$maria_port" -u root ping >/dev/null 2>&1 && break
      sleep 0.2
    done
  fi
  mariadb --no-defaults -h 127.0.0.1 -P "$maria_port" -u root \
    -e "create database if not exists app; create user if not exists app@'%'; create user if not exists app@localhost; grant all on app.* to app@'%'; grant all on app.* to app@localhost"
  echo "export ARROWHEAD_TEST_MARIADB=mysql://app@127.0.0.1:$maria_port/app"
}

start_redis() {
  command -v redis-server >/dev/null || { can_install && apt_install redis-server; } || true
  command -v redis-server >/dev/null || { say "no Redis here; its tests will be skipped"; return 0; }
  if ! redis-cli -p "$redis_port" ping >/dev/null 2>&1; then
    mkdir -p "$base/redis"
    redis-server --port "$redis_port" --bind 127.0.0.1 --dir "$base/redis" --save '' --appendonly no --daemonize yes --pidfile "$base/redis/pid" --logfile "$base/redis/log" >/dev/null
    for _ in $(seq 50); do
      redis-cli -p "$redis_port" ping >/dev/null 2>&1 && break
      sleep 0.1
    done
  fi
  echo "export ARROWHEAD_TEST_REDIS=redis://127.0.0.1:$redis_port/0"
}

# A server of the S3 protocol that knows conditional writes. The registry of Python has one; that of Node has none.
s3_server='import sys
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple
run_simple("127.0.0.1", int(sys.argv[1]), DomainDispatcherApplication(create_backend_app), threaded=False)'

start_s3() {
  local venv="$base/moto"
  local python=python3
  if ! python3 -c 'import moto, flask_cors' 2>/dev/null; then
    [ -x "$venv/bin/python" ] || { [ "$install" = yes ] && python3 -m venv "$venv" && "$venv/bin/pip" install -q 'moto[server]==5.2.1' >>"$base/install.log" 2>&1; } || true
    python="$venv/bin/python"
  fi
  if ! "$python" -c 'import moto, flask_cors' 2>/dev/null; then
    say "no S3-speaking server here; its tests will be skipped"
    return 0
  fi
  if ! curl -fs "http://127.0.0.1:$s3_port/moto-api/" >/dev/null 2>&1; then
    # One request at a time: that server checks a condition and writes in two steps, which S3 itself does in one.
    (setsid "$python" -c "$s3_server" "$s3_port" >"$base/s3.log" 2>&1 </dev/null & echo $! >"$base/s3.pid")
    for _ in $(seq 100); do
      curl -fs "http://127.0.0.1:$s3_port/moto-api/" >/dev/null 2>&1 && break
      sleep 0.2
    done
  fi
  echo "export ARROWHEAD_TEST_S3=http://127.0.0.1:$s3_port"
}

stop() {
  local bin
  bin=$(pg_bin)
  if [ -n "$bin" ] && [ -d "$base/postgres" ]; then as postgres "$bin/pg_ctl" -D "$base/postgres" -m immediate -w stop >/dev/null 2>&1 || true; fi
  if [ -f "$base/mariadb/pid" ]; then mariadb-admin --no-defaults -h 127.0.0.1 -P "$maria_port" -u root shutdown >/dev/null 2>&1 || true; fi
  if [ -f "$base/redis/pid" ]; then redis-cli -p "$redis_port" shutdown nosave >/dev/null 2>&1 || true; fi
  if [ -f "$base/s3.pid" ]; then kill "$(cat "$base/s3.pid")" 2>/dev/null || true; fi
  rm -rf "$base"
}

command=${1:-}
engines=()
for word in "${@:2}"; do
  if [ "$word" = --no-install ]; then install=no; else engines+=("$word"); fi
done
[ ${#engines[@]} -gt 0 ] || engines=(postgres mariadb redis s3)
case "$command" in
  start)
    mkdir -p "$base" && chmod 755 "$base"
    for engine in "${engines[@]}"; do
      case "$engine" in
        postgres | mariadb | redis | s3) "start_$engine" ;;
        *) say "no such engine: $engine" && exit 2 ;;
      esac
    done
    ;;
  stop) stop ;;
  *) say 'usage: scripts/test-services.sh start [--no-install] [ENGINE...] | stop' && exit 2 ;;
esac
