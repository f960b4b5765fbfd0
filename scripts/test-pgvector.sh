#!/usr/bin/env bash
# Starts a throw-away PostgreSQL with pgvector for the adapter tests, on Debian or its like, as root.
#   url=$(scripts/test-pgvector.sh start DIR)   builds what is missing, starts, prints the connection string
#   scripts/test-pgvector.sh stop DIR           stops it and removes DIR
# Then: ARROWHEAD_TEST_POSTGRES_VECTOR=$url npm test
set -euo pipefail

verb=${1:?start or stop}
dir=${2:?a folder for the cluster}
log() { printf '%s\n' "$*" >&2; }

newest() { find /usr/lib/postgresql -mindepth 1 -maxdepth 1 -printf '%f\n' 2>/dev/null | sort -n | tail -1; }

install_server() {
  [ -n "$(newest)" ] && return
  log "installing a PostgreSQL server"
  apt-get install -y -qq --no-install-recommends postgresql >&2 || { apt-get update -qq >&2 && apt-get install -y -qq --no-install-recommends postgresql >&2; }
}

# The packaged extension where the distribution has it, else built from the source package of a later release.
install_extension() {
  local major=$1
  [ -e "/usr/share/postgresql/$major/extension/vector.control" ] && return
  if apt-get install -y -qq --no-install-recommends "postgresql-$major-pgvector" >&2 2>/dev/null; then return; fi
  log "building pgvector for PostgreSQL $major"
  local work mirror
  work=$(mktemp -d)
  mirror=$(grep -rhoE 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -1 | tr -d ' ' || true)
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/src"
  printf 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s trixie main\n' "${mirror:-http://deb.debian.org/debian}" >"$work/src.list"
  local options=(-o "Dir::Etc::SourceList=$work/src.list" -o Dir::Etc::SourceParts=/nonexistent -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache")
  apt-get "${options[@]}" update -qq >&2
  (cd "$work" && apt-get "${options[@]}" source -qq --download-only pgvector >&2)
  apt-get install -y -qq --no-install-recommends make gcc libc6-dev "postgresql-server-dev-$major" >&2
  tar xf "$work"/pgvector_*.orig.tar.gz -C "$work/src" --strip-components=1
  # A plain build: one tuned for this processor might not run where a cached tree is used next.
  make -C "$work/src" -j2 OPTFLAGS="" with_llvm=no PG_CONFIG="/usr/lib/postgresql/$major/bin/pg_config" >&2
  make -C "$work/src" install with_llvm=no PG_CONFIG="/usr/lib/postgresql/$major/bin/pg_config" >&2
  rm -rf "$work"
}

as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"; }

start() {
  install_server
  local major bin port
  major=$(newest)
  install_extension "$major"
  bin=/usr/lib/postgresql/$major/bin
  port=$(node -e 'const s = require("net").createServer(); s.listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
  mkdir -p "$dir" && chown postgres "$dir" && chmod 700 "$dir"
  (cd "$dir" && as_postgres "$bin/initdb" -D "$dir/data" -U postgres --auth=trust --no-sync >&2)
  (cd "$dir" && as_postgres "$bin/pg_ctl" -D "$dir/data" -w -l "$dir/log" -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$dir" start >&2)
  printf 'postgresql://postgres@127.0.0.1:%s/postgres\n' "$port"
}

stop() {
  local bin
  bin=/usr/lib/postgresql/$(newest)/bin
  (cd / && as_postgres "$bin/pg_ctl" -D "$dir/data" -m immediate stop >&2) || true
  rm -rf "$dir"
}

case $verb in
  start) start ;;
  stop) stop ;;
  *) log "start or stop" && exit 2 ;;
esac
