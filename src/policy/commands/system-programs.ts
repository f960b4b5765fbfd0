/** The sixteen programs of the assistant, each by what it may be asked. */

import type { Grammar } from './grammar.ts'

const inBin = (name: string): readonly string[] => [`/usr/bin/${name}`, `/bin/${name}`]
const inSbin = (name: string): readonly string[] => [`/usr/sbin/${name}`, `/sbin/${name}`, ...inBin(name)]
const UNIT = '[A-Za-z0-9][\\w.:@-]{0,200}'
const UNITS = new RegExp(`^${UNIT}(?: ${UNIT}){0,15}$`)
const UNIT_OPTIONS = '-a --all -l --full --no-pager --no-legend --plain -q --quiet -t=WORD --type=WORD --state=NAMES'
const PS_ORDER = '--sort=NAMES --no-headers --headers --cols=COUNT --width=COUNT'
const INTERFACE = '[A-Za-z0-9][\\w.@-]{0,30}'
/** For addresses alone `s` is short for show: with links it sets. */
const ADDRESSES = `(?: (?:show|list|ls|s|l)(?: (?:dev )?${INTERFACE})?(?: up)?(?: scope (?:global|link|host))?)?`
const SHOWN = `(?: (?:show|list|ls)(?: (?:dev )?${INTERFACE})?(?: up)?)?`

export const SYSTEM_PROGRAMS: Readonly<Record<string, Grammar>> = {
  date: {
    places: inBin('date'),
    options: '-u --utc --universal -R --rfc-email -I[=WORD] --iso-8601[=WORD] --rfc-3339=WORD -d=DATE --date=DATE',
    operands: [{ type: 'FORMAT', max: 1 }],
  },
  df: {
    places: inBin('df'), sees: ['home'],
    options: '-a --all -B=SIZE --block-size=SIZE -h --human-readable -H --si -i --inodes -k -l --local --output[=NAMES] -P --portability -t=WORD --type=WORD -T --print-type -x=WORD --exclude-type=WORD --total --no-sync',
    operands: [{ type: 'FILE', max: 8 }],
  },
  du: {
    places: inBin('du'), sees: ['home'], leavesOut: '--exclude=', looksAt: '.',
    options: '-s --summarize -h --human-readable --si -c --total -b --bytes -k -m -x --one-file-system -S --separate-dirs --apparent-size --inodes -d=COUNT --max-depth=COUNT -B=SIZE --block-size=SIZE -t=SIZE --threshold=SIZE',
    operands: [{ type: 'FILE', max: 8 }],
  },
  free: { places: inBin('free'), options: '-b --bytes -k --kibi -m --mebi -g --gibi --kilo --mega --giga --tera --tebi --si -h --human -l --lohi -t --total -w --wide' },
  hostname: {
    places: inBin('hostname'), sees: ['network'],
    options: '-I --all-ip-addresses -f --fqdn --long -i --ip-address -s --short -d --domain -A --all-fqdns',
  },
  id: { places: inBin('id'), options: '-a -u --user -g --group -G --groups -n --name -r --real -z --zero', operands: [{ type: 'WORD', max: 1 }] },
  ip: {
    places: inSbin('ip'), sees: ['network'], dashWords: true,
    options: '-4 -6 -s -stats -statistics -d -details -o -oneline -br -brief -j -json -p -pretty -h -human -N -Numeric -c --color -color',
    form: new RegExp(`^(?:(?:a|addr|address)${ADDRESSES}|(?:l|link|n|neigh|neighbour|maddr|maddress)${SHOWN}|(?:r|ro|route|rule)(?: (?:show|list|ls)(?: (?:table |dev )?${INTERFACE})?)?|(?:r|ro|route) get [0-9a-fA-F.:]{2,45}|(?:tunnel|netconf|mroute)(?: (?:show|list|ls))?)$`),
  },
  lsblk: {
    places: inBin('lsblk'),
    options: '-a --all -b --bytes -d --nodeps -D --discard -e=NAMES --exclude=NAMES -f --fs -i --ascii -I=NAMES --include=NAMES -J --json -l --list -m --perms -n --noheadings -o=NAMES --output=NAMES -O --output-all -p --paths -P --pairs -r --raw -s --inverse -S --scsi -t --topology -T[=WORD] --tree[=WORD] -x=WORD --sort=WORD -z --zoned',
    form: /^(?:\/dev\/[a-z][a-z0-9-]{0,30})?(?: \/dev\/[a-z][a-z0-9-]{0,30}){0,7}$/,
  },
  lscpu: { places: inBin('lscpu'), options: '-a --all -b --online -B --bytes -c --offline -C[=LIST] --caches[=LIST] -e[=LIST] --extended[=LIST] -J --json -p[=LIST] --parse[=LIST] -x --hex -y --physical --output-all' },
  nproc: { places: inBin('nproc'), options: '--all --ignore=COUNT' },
  ps: {
    // Formats that print arguments stay out, for programs are given secrets in them; what -f shows is redacted.
    // Options that it cannot take together, or a value that it cannot, make it read all words anew as BSD letters, where
    // -e is the environment of each process: so nothing that excludes anything else, and no value that could be letters.
    places: inBin('ps'), sees: ['processes'], valuesApart: true, bare: true, subcommands: Object.fromEntries(['aux', 'ax', 'a', 'x', 'u', 'ux', 'auxf', 'axf', 'axjf'].map((letters) => [letters, { options: PS_ORDER }])),
    options: `${PS_ORDER} -e -A -f -F -l -H -w -p=NAMES --pid=NAMES --ppid=NAMES -u=NAMES --user=NAMES -U=NAMES -C=NAMES -t=NAMES --tty=NAMES -o=COLUMNS --format=COLUMNS --forest`,
  },
  ss: {
    places: inSbin('ss'), sees: ['network', 'processes'],
    options: '-a --all -l --listening -n --numeric -o --options -e --extended -m --memory -p --processes -i --info -s --summary -4 --ipv4 -6 --ipv6 -t --tcp -u --udp -w --raw -x --unix -S --sctp -H --no-header -O --oneline -A=LIST --query=LIST -f=WORD --family=WORD',
    // Of addresses only those that no name server is asked for.
    form: /^(?:(?:state|exclude) (?:established|listening|connected|time-wait|close-wait|syn-sent|syn-recv|fin-wait-1|fin-wait-2|closing|closed|all|synchronized|bucket|big)(?: |$))?(?:[sd]port (?:=|eq) :\d{1,5}|(?:src|dst) (?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3})?$/,
  },
  systemctl: {
    places: inBin('systemctl'), sees: ['network', 'processes'], before: ['--no-pager'],
    subcommands: {
      // Without a unit it would show the whole tree, by a pager where there is one.
      status: { options: `${UNIT_OPTIONS} -n=COUNT --lines=COUNT -o=WORD --output=WORD`, form: UNITS },
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
      'list-dependencies': { options: `${UNIT_OPTIONS} --reverse`, form: new RegExp(`^(?:${UNIT})?$`) },
    },
  },
  uname: { places: inBin('uname'), options: '-a --all -s --kernel-name -n --nodename -r --kernel-release -v --kernel-version -m --machine -p --processor -i --hardware-platform -o --operating-system' },
  uptime: { places: inBin('uptime'), sees: ['processes'], options: '-p --pretty -s --since' },
  whoami: { places: inBin('whoami') },
}
