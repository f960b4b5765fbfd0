/** The sixteen programs of the assistant, each by what it may be asked. */

import type { Grammar } from './grammar.ts'

const inBin = (name: string): readonly string[] => [`/usr/bin/${name}`, `/bin/${name}`]
const inSbin = (name: string): readonly string[] => [`/usr/sbin/${name}`, `/sbin/${name}`, ...inBin(name)]
const UNIT = '[A-Za-z0-9][\\w.:@-]{0,200}'
const UNITS = new RegExp(`^${UNIT}(?: ${UNIT}){0,15}$`)
const UNIT_OPTIONS = '-a --all -l --full --no-pager --no-legend --plain -q --quiet -t=NAMES --type=NAMES --state=NAMES -o=WORD --output=WORD'
const PS_ORDER = '--sort=NAMES --no-headers --headers --cols=COUNT --width=COUNT'
const INTERFACE = '[A-Za-z0-9][\\w.@-]{0,30}'
/** For addresses alone `s` is short for show: with links it sets. */
const ADDRESSES = `(?: (?:show|sh|list|ls|s|l)(?: (?:dev )?${INTERFACE})?(?: up)?(?: scope (?:global|link|host))?)?`
const SHOWN = `(?: (?:show|sh|list|ls)(?: (?:dev )?${INTERFACE})?(?: up)?(?: (?:type (?:bond|bridge|dummy|ifb|ipvlan|macvlan|team|tun|veth|vlan|vrf|vxlan|wireguard)|master ${INTERFACE}))?)?`
/** Whatever follows the word chooses among the routes. */
const ROUTES = `(?: (?:show|sh|list|ls)(?: (?:(?:table|dev|proto|scope|via|root|exact|match) )?[A-Za-z0-9][\\w.:@/-]{0,60}){0,4})?`
/** Short ways to ask for the version, beside what every program knows. */
const VERSION = ['--help', '--version', '-V']

export const SYSTEM_PROGRAMS: Readonly<Record<string, Grammar>> = {
  date: {
    places: inBin('date'),
    options: '-u --utc --universal -R --rfc-email -I[=WORD] --iso-8601[=WORD] --rfc-3339=WORD -d=DATE --date=DATE',
    operands: [{ type: 'FORMAT', max: 1 }],
  },
  df: {
    places: inBin('df'), sees: ['home'],
    options: '-a --all -B=SIZE --block-size=SIZE -h --human-readable -H --si -i --inodes -k -m -l --local --output[=NAMES] -P --portability -t=WORD --type=WORD -T --print-type -x=WORD --exclude-type=WORD --total --no-sync',
    operands: [{ type: 'VOLUME', max: 8 }],
  },
  du: {
    places: inBin('du'), sees: ['home'], leavesOut: '--exclude=', looksAt: '.',
    options: '-s --summarize -h --human-readable --si -c --total -b --bytes -k -m -0 --null -l --count-links -P --no-dereference --time[=WORD] --exclude=TEXT -x --one-file-system -S --separate-dirs --apparent-size --inodes -d=COUNT --max-depth=COUNT -B=SIZE --block-size=SIZE -t=SIZE --threshold=SIZE',
    operands: [{ type: 'FILE', max: 8 }],
  },
  free: { places: inBin('free'), tellsOfItself: VERSION, options: '-b --bytes -k --kibi -m --mebi -g --gibi --kilo --mega --giga --tera --tebi --si -h --human -l --lohi -L --line -t --total -v --committed -w --wide' },
  hostname: {
    places: inBin('hostname'), sees: ['network'], tellsOfItself: VERSION,
    options: '-I --all-ip-addresses -f --fqdn --long -i --ip-address -s --short -d --domain -A --all-fqdns',
  },
  id: { places: inBin('id'), options: '-a -u --user -g --group -G --groups -n --name -r --real -z --zero', operands: [{ type: 'WORD', max: 1 }] },
  ip: {
    places: inSbin('ip'), sees: ['network'], dashWords: true, tellsOfItself: [...VERSION, '-Version'],
    options: '-4 -6 -f=WORD -family=WORD -s -stats -statistics -d -details -o -oneline -br -brief --brief -j -json --json -p -pretty -h -human -N -Numeric -c --color -color',
    form: new RegExp(`^(?:(?:a|addr|address)${ADDRESSES}|(?:l|link|n|neigh|neighbor|neighbour|maddr|maddress)${SHOWN}|(?:r|ro|route|rule)${ROUTES}|vrf(?: show)?|(?:r|ro|route) get [0-9a-fA-F.:]{2,45}|(?:tunnel|netconf|mroute)(?: (?:show|list|ls))?)$`),
  },
  lsblk: {
    places: inBin('lsblk'), tellsOfItself: VERSION,
    options: '-a --all -A --noempty -b --bytes -d --nodeps -D --discard -e=NAMES --exclude=NAMES -f --fs -i --ascii -I=NAMES --include=NAMES -J --json -l --list -m --perms -n --noheadings -o=NAMES --output=NAMES -O --output-all -p --paths -P --pairs -r --raw -s --inverse -S --scsi -t --topology -T[=WORD] --tree[=WORD] -x=WORD --sort=WORD -z --zoned -M --merge -E=WORD --dedup=WORD -w=COUNT --width=COUNT -N --nvme -v --virtio',
    form: /^(?:\/dev\/(?:mapper\/)?[A-Za-z][\w-]{0,60}(?: (?=\/)|$)){0,8}$/,
  },
  lscpu: { places: inBin('lscpu'), tellsOfItself: VERSION, options: '-a --all -b --online -B --bytes -c --offline -C[=LIST] --caches[=LIST] -e[=LIST] --extended[=LIST] -J --json -p[=LIST] --parse[=LIST] -x --hex -y --physical --output-all' },
  nproc: { places: inBin('nproc'), options: '--all --ignore=COUNT' },
  ps: {
    // Formats that print arguments stay out, for programs are given secrets in them; what -f shows is redacted.
    // Options that it cannot take together, or a value that it cannot, make it read all words anew as BSD letters, where
    // -e is the environment of each process: so nothing that excludes anything else, and no value that could be letters.
    // -aux is read so, too: there is no e in it.
    places: inBin('ps'), sees: ['processes'], valuesApart: true, bare: true, tellsOfItself: VERSION, subcommands: Object.fromEntries(['aux', 'axu', '-aux', 'auxw', 'auxww', 'ax', 'a', 'x', 'u', 'ux', 'auxf', 'faux', 'axf', 'axjf'].map((letters) => [letters, { options: /[ufj]/.test(letters) ? PS_ORDER : `${PS_ORDER} -o=COLUMNS --format=COLUMNS` }])),
    options: `${PS_ORDER} -e -A -f -F -l -H -w -p=SUBJECTS --pid=SUBJECTS --ppid=SUBJECTS -u=SUBJECTS --user=SUBJECTS -U=SUBJECTS -C=SUBJECTS -t=SUBJECTS --tty=SUBJECTS -o=COLUMNS --format=COLUMNS --forest`,
  },
  ss: {
    places: inSbin('ss'), sees: ['network', 'processes'], tellsOfItself: VERSION,
    options: '-a --all -l --listening -n --numeric -o --options -e --extended -m --memory -p --processes -i --info -s --summary -4 --ipv4 -6 --ipv6 -t --tcp -u --udp -w --raw -x --unix -S --sctp -H --no-header -O --oneline -A=LIST --query=LIST -f=WORD --family=WORD',
    // Of addresses only those that no name server is asked for.
    form: /^(?:(?:state|exclude) (?:established|listening|connected|time-wait|close-wait|syn-sent|syn-recv|fin-wait-1|fin-wait-2|closing|closed|all|synchronized|bucket|big)(?: |$))?(?:[sd]port (?:=|eq) :\d{1,5}|(?:src|dst) (?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?::\d{1,5})?)?$/,
  },
  systemctl: {
    // With options alone it lists units, as list-units does.
    places: inBin('systemctl'), sees: ['network', 'processes'], before: ['--no-pager', '--no-legend', '--plain', '-l', '--full', '-q', '--quiet'],
    bare: true, optionFirst: true, options: `${UNIT_OPTIONS} --failed`,
    subcommands: {
      // Without a unit it would show the whole tree, by a pager where there is one.
      status: { options: `${UNIT_OPTIONS} -n=COUNT --lines=COUNT`, form: UNITS },
      // All properties together hold the environment and the command lines of a unit.
      show: { options: '-p=PROPERTIES --property=PROPERTIES -P=PROPERTIES --value --no-pager', operandsNeed: '-p --property -P', form: UNITS },
      'is-active': { options: '-q --quiet', form: UNITS },
      'is-enabled': { options: '-q --quiet', form: UNITS },
      'is-failed': { options: '-q --quiet', form: new RegExp(`^(?:${UNIT})?$`) },
      'is-system-running': {},
      'get-default': {},
      'list-units': { options: `${UNIT_OPTIONS} --failed`, form: new RegExp(`^(?:${UNITS.source.slice(1, -1)})?$`) },
      'list-unit-files': { options: UNIT_OPTIONS, form: new RegExp(`^(?:${UNITS.source.slice(1, -1)})?$`) },
      'list-timers': { options: UNIT_OPTIONS, form: new RegExp(`^(?:${UNITS.source.slice(1, -1)})?$`) },
      'list-sockets': { options: UNIT_OPTIONS },
      'list-jobs': { options: UNIT_OPTIONS },
      'list-automounts': { options: UNIT_OPTIONS },
      'list-paths': { options: UNIT_OPTIONS },
      'list-dependencies': { options: `${UNIT_OPTIONS} --reverse --after --before`, form: new RegExp(`^(?:${UNIT})?$`) },
    },
  },
  uname: { places: inBin('uname'), options: '-a --all -s --kernel-name -n --nodename -r --kernel-release -v --kernel-version -m --machine -p --processor -i --hardware-platform -o --operating-system' },
  uptime: { places: inBin('uptime'), sees: ['processes'], tellsOfItself: VERSION, options: '-p --pretty -s --since' },
  whoami: { places: inBin('whoami') },
}
