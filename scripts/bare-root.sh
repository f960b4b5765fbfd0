#!/usr/bin/env bash
# A reader's first minutes, in a system that has nothing: clones the repository into an empty Debian (debootstrap), or,
# where that cannot be made, into a bare folder with an empty environment, and runs the commands of the README as they
# are printed there. A real client then lists the tools and calls one.
#
#   scripts/bare-root.sh                  everything
#   scripts/bare-root.sh --no-test        without `npm test`
#   scripts/bare-root.sh --bare           in a folder, also where a system could be made
#   scripts/bare-root.sh --node 22        with another line of Node.js, from the package of the registry
set -euo pipefail
cd "$(dirname "$0")/.."

node_line=20 system=debian with_test=yes
while [ $# -gt 0 ]; do
  case $1 in
    --no-test) with_test=no ;;
    --bare) system=bare ;;
    --node) node_line=$2 && shift ;;
    *) echo "bare-root: no such option: $1" >&2 && exit 2 ;;
  esac
  shift
done
say() { printf 'bare-root: %s\n' "$*"; }
can_make_system() { [ "$(id -u)" -eq 0 ] && command -v debootstrap >/dev/null && command -v unshare >/dev/null; }
[ "$system" = bare ] || can_make_system || { say 'no root or no debootstrap: a bare folder it is' && system=bare; }

work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir "$root"

if [ "$system" = debian ]; then
  mirror=$(grep -rhoE 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -1 | tr -d ' ' || true)
  # Git is there because a reader who has a clone has it.
  say "debootstrap: the smallest there is, certificates and git"
  debootstrap --variant=minbase --include=ca-certificates,git bookworm "$root" "${mirror:-http://deb.debian.org/debian}" >"$work/debootstrap.log" 2>&1 || { tail -5 "$work/debootstrap.log" >&2 && exit 1; }
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  # A proxy of this machine may sign with an authority of its own.
  [ ! -e /etc/ssl/certs/ca-certificates.crt ] || cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
fi

say "Node.js $node_line and npm, as packages of the registry"
machine=$(uname -m)
case $machine in x86_64) cpu=x64 ;; aarch64) cpu=arm64 ;; *) cpu=$machine ;; esac
mkdir -p "$root/opt/node/bin" "$root/opt/node/lib/npm" "$root/home/reader" "$root/tmp"
chmod 1777 "$root/tmp"
unpack() { (cd "$work" && npm pack --silent "$1" | tail -1 | xargs -I{} tar -xzf {} --strip-components=1 -C "$2"); }
mkdir "$work/node"
unpack "node-linux-$cpu@$node_line" "$work/node"
unpack npm@10 "$root/opt/node/lib/npm"
cp "$work/node/bin/node" "$root/opt/node/bin/node"
ln -s ../lib/npm/bin/npm-cli.js "$root/opt/node/bin/npm"
ln -s ../lib/npm/bin/npx-cli.js "$root/opt/node/bin/npx"

say 'a clone of the last commit'
git clone --quiet --no-hardlinks "file://$(pwd)" "$root/home/reader/arrowhead"

# In a system: its own processes and mounts, which end with it. In both: nothing of the environment that this runs in.
inside() {
  if [ "$system" = debian ]; then
    # shellcheck disable=SC2016
    unshare --mount --pid --fork --kill-child sh -c 'mount --bind "$0" "$0" && mount -t proc proc "$0/proc" && exec chroot "$0" env -i HOME=/home/reader PATH=/opt/node/bin:/usr/bin:/bin NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt sh -c "cd /home/reader/arrowhead && $1"' "$root" "$1"
  else
    env -i HOME="$root/home/reader" TMPDIR="$root/tmp" PATH="$root/opt/node/bin:/usr/bin:/bin" ${NODE_EXTRA_CA_CERTS:+NODE_EXTRA_CA_CERTS="$NODE_EXTRA_CA_CERTS"} sh -c "cd '$root/home/reader/arrowhead' && $1"
  fi
}
timed() {
  local began=$SECONDS
  say "\$ $1"
  inside "$1" >"$work/out" 2>&1 || { say "FAILED after $((SECONDS - began)) s" && grep -aE 'FAIL|AssertionError|^Error|npm (error|ERR)' "$work/out" >&2; tail -20 "$work/out" >&2; exit 1; }
  say "done in $((SECONDS - began)) s: $(grep -vE '^\s*$' "$work/out" | tail -1)"
}

# The commands of a block of the README, without what is said of them.
commands_below() { sed -n "/^## $1/,/^\`\`\`\$/p" README.md | grep '^npm ' | sed 's/  *#.*//'; }
mapfile -t run_it < <(commands_below 'Run it')
mapfile -t test_it < <(commands_below 'Test it')
[ "${#run_it[@]}" -eq 2 ] && [ "${#test_it[@]}" -eq 1 ] || { say 'the README no longer prints two commands to run it and one to test it' && exit 1; }

timed "${run_it[0]}"
grep -E 'EBADENGINE|npm (warn|error)' "$work/out" | sort -u | head -5 || true

cat >"$root/home/reader/arrowhead/call.mjs" <<'CLIENT'
import { spawn } from 'node:child_process'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const [program, ...args] = process.argv[2].split(' ')
const server = spawn(program, args, { stdio: ['ignore', 'inherit', 'pipe'], detached: true })
let said = ''
// What it prints for a client is all that is known of it.
const entry = await new Promise((resolve, reject) => {
  server.stderr.on('data', (bytes) => {
    said += bytes
    const json = /^\{\n[\s\S]*?^\}$/m.exec(said)?.[0]
    if (json !== undefined) resolve(JSON.parse(json).mcpServers.arrowhead)
  })
  server.on('exit', (code) => reject(new Error(`it ended with ${code}: ${said}`)))
})
const client = new Client({ name: 'reader', version: '1' })
await client.connect(new StreamableHTTPClientTransport(new URL(entry.url), { requestInit: { headers: entry.headers } }))
const { tools } = await client.listTools()
const { structuredContent } = await client.callTool({ name: 'calculate', arguments: { expression: '2 * (3 + 4)' } })
await client.close()
process.kill(-server.pid, 'SIGTERM')
if (structuredContent?.result !== 14) throw new Error(`2 * (3 + 4) is ${JSON.stringify(structuredContent)}`)
console.log(`a client at ${entry.url} sees ${tools.length} tools, and 2 * (3 + 4) is ${structuredContent.result}`)
process.exit(0)
CLIENT
timed "node call.mjs '${run_it[1]}'"
rm "$root/home/reader/arrowhead/call.mjs"

[ "$with_test" = no ] || timed "${test_it[0]}"
say "everything that the README promises holds in $([ "$system" = debian ] && echo 'an empty Debian' || echo 'a bare folder')"
