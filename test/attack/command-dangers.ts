/**
 * What programs of the command table can be made to do that looking is not, kept by hand from their manuals: options
 * that write, execute, connect, never end, follow links or read files of the caller's choice, and words that do so
 * without any option. Nothing here is derived from the grammars that it judges.
 */

export interface Danger {
  /** As a program writes them: `-f`, `--file`, or `-batch` where one dash begins a word. */
  readonly names: readonly string[]
  /** A value that it needs. */
  readonly value?: string
  readonly does: 'reads' | 'writes' | 'executes' | 'connects' | 'changes' | 'waits' | 'follows' | 'tells'
}

export interface Dangers {
  readonly options?: readonly Danger[]
  /** Whole lists of words. */
  readonly words?: readonly string[]
  /** Whether the program knows its options by their whole names alone. */
  readonly wholeNames?: boolean
  /** Harmless options with whose whole names those of others begin. */
  readonly whole?: readonly string[]
  /** Words that make an allowed form of the command, for what is put beside them. */
  readonly benign: readonly string[]
}

const does = (what: Danger['does'], ...lines: readonly string[]): readonly Danger[] =>
  lines.map((line) => {
    const [names = '', value] = line.split('=')
    return { names: names.split(' '), does: what, ...(value !== undefined && { value }) }
  })

const VERBS = 'start stop restart reload try-restart reload-or-restart isolate kill clean freeze thaw set-property enable disable reenable preset preset-all mask unmask link revert add-wants add-requires edit set-default daemon-reload daemon-reexec set-environment unset-environment import-environment show-environment reboot poweroff halt kexec exit switch-root suspend hibernate hybrid-sleep cancel bind mount-image log-level service-watchdogs cat show'

export const DANGERS: Readonly<Record<string, Dangers>> = {
  date: {
    benign: ['-u'], words: ['010100002030', '01010000', '-u 010100002030', '-- 010100002030', '+%F 010100002030'],
    options: [...does('reads', '-f --file=SECRET', '-r --reference=SECRET'), ...does('changes', '-s --set=2030-01-01')],
  },
  df: { benign: ['-h'], options: does('writes', '--sync') },
  du: {
    benign: ['-s'], words: ['~/x', 'link/../x'], whole: ['--exclude'],
    options: [...does('reads', '--files0-from=SECRET', '-X --exclude-from=SECRET'), ...does('follows', '-L --dereference', '-D -H --dereference-args'), ...does('tells', '-a --all')],
  },
  free: { benign: ['-h'], options: does('waits', '-s --seconds=1', '-c --count=9') },
  hostname: {
    benign: ['-s'], words: ['other', '-s other', '-- other', '-b other'],
    options: [...does('changes', '-F --file=SECRET', '-b --boot'), ...does('tells', '-y --yp --nis')],
  },
  id: { benign: ['-u'], options: does('tells', '-Z --context') },
  ip: {
    benign: ['-br', 'addr'],
    words: [
      'link set lo up', 'l s lo up', 'link s lo up', 'addr add 10.9.9.9/32 dev lo', 'a a 10.9.9.9/32 dev lo', 'a ad 10.9.9.9/32 dev lo', 'ro a 10.1.0.0/16 dev lo', 'r r 10.1.0.0/16 dev lo', 'route flush all', 'l d lo', 'link del lo', 'neigh flush all', 'n f all',
      'vrf exec a id', 'vrf e a id', 'netns exec a id', 'netns e a id', 'netns add a', 'netns', 'monitor', 'mo', 'm', 'addr mon', 'xfrm monitor', 'xfrm state', 'x s', 'link property add dev lo altname x', 'tuntap add mode tap', 'rule add from 1.1.1.1', 'addr save', 'addr restore', 'route save', 'token set ::1 dev lo', 'macsec add', 'link type can help',
      'link show dev lo type x', 'tcp_metrics flush', 'mptcp endpoint add 1.1.1.1', 'sr tunsrc set ::', 'ila add', 'fou add port 1', 'l2tp add tunnel', 'ntable change name x', 'addrlabel add prefix ::/0 label 1',
    ],
    options: [...does('reads', '-batch=SECRET'), ...does('changes', '-force', '-netns=a', '-all', '-rcvbuf=1', '-loops=1'), ...does('connects', '-resolve')],
  },
  lscpu: { benign: ['-J'], options: does('reads', '-s --sysroot=DIR') },
  lsblk: { benign: ['-J'], words: ['SECRET', '/etc/passwd', '/dev/../etc/passwd', '../x'], options: does('reads', '--sysroot=DIR') },
  nproc: { benign: ['--all'] },
  ps: {
    benign: ['-ef'],
    words: [
      'e', 'E', 'axe', 'auxe', 'auxwwe', 'ae', 'xe', '-ef e', '-e e', 'aux e', 'e aux', '-e -H -T', '-eTH', '-T -H -e', '-eHL -T', '-uaxe', '-Uaxe', '-Caxe', '-taxe', '-e -a ax', '-o args', '-o pid,args', '-o cmd', '-o command', '-o pid=x,cmd=y', '-o environ', '-eo args', '-oargs', '--format=args', 'o args', 'axo args', 'L',
    ],
    options: does('tells', '-m', '-y', '-N --deselect', '-M'),
  },
  ss: {
    benign: ['-tln'],
    options: [
      ...does('reads', '-F --filter=SECRET'), ...does('writes', '-D --diag=OUT'), ...does('changes', '-K --kill', '-N --net=a'), ...does('waits', '-E --events'), ...does('connects', '-r --resolve'), ...does('tells', '-b --bpf', '-Z --context', '-z --contexts'),
    ],
  },
  systemctl: {
    benign: ['status', 'ssh.service'],
    words: [...VERBS.split(' ').flatMap((verb) => [verb, `${verb} a.service`]), 'status', '', 'is-system-running --wait', 'status -- --root=/'],
    options: [
      ...does('connects', '-H --host=other', '-M --machine=other', '-r --recursive'), ...does('reads', '--root=DIR', '--image=SECRET', '-p --property=Environment', '-P=Environment'), ...does('waits', '--wait', '--watch'),
      ...does('changes', '--now', '-f --force', '-s --signal=9', '--kill-who=all', '--runtime', '--global', '--user', '--job-mode=replace', '--firmware-setup', '--boot-loader-menu=1', '--message=x', '--check-inhibitors=no', '-i', '--no-block', '--dry-run', '--preset-mode=full'),
    ],
  },
  uname: { benign: ['-a'] },
  uptime: { benign: ['-p'], options: does('tells', '-c --container') },
  whoami: { benign: [] },
  cat: { benign: ['-n', 'a'], words: ['-', '~/a', 'a/../b', '-n -'] },
  head: { benign: ['-5', 'a'], words: ['-n 1 ~/a', '-5f a'] },
  tail: { benign: ['-5', 'a'], words: ['-5f a', '-f', '-1f a'], options: does('waits', '-f --follow', '-F', '--retry', '--pid=1', '-s --sleep-interval=1', '---disable-inotify') },
  wc: { benign: ['-l', 'a'], options: does('reads', '--files0-from=SECRET') },
  sort: {
    benign: ['-u', 'a'],
    options: [...does('writes', '-o --output=OUT', '-T --temporary-directory=DIR'), ...does('executes', '--compress-program=PROGRAM'), ...does('reads', '--files0-from=SECRET', '--random-source=SECRET'), ...does('changes', '-S --buffer-size=90%', '--parallel=99', '--batch-size=9')],
  },
  uniq: { benign: ['-c', 'a'], words: ['a OUT', '-c a OUT', '-- a OUT', '- OUT'] },
  cut: { benign: ['-f1', 'a'] },
  echo: { benign: ['a'] },
  pwd: { benign: [] },
  jq: {
    benign: ['-r', '.', 'a'], whole: ['--slurp'],
    words: ['-n env', '-n $ENV', '-n $ENV.PATH', '-n [env]', '-n .a,env.B', '-n {a:env}', '-n "\\(env)"', '-n "\\($ENV)"', '-n env|keys', '-n modulemeta', '-n get_search_list', '-rf SECRET', '-nL DIR .'],
    options: does('reads', '-f --from-file=SECRET', '--slurpfile=a', '--rawfile=a', '--argfile=a', '-L=DIR', '--run-tests=SECRET'),
  },
  file: {
    benign: ['-b', 'a'],
    options: [...does('reads', '-f --files-from=SECRET', '-m --magic-file=SECRET', '-s --special-files'), ...does('writes', '-C --compile', '-p --preserve-date'), ...does('executes', '-z --uncompress', '-Z --uncompress-noreport'), ...does('changes', '-S --no-sandbox', '-P --parameter=bytes=9', '-e --exclude=tar')],
  },
  stat: { benign: ['-t', 'a'] },
  tar: {
    benign: ['-t', '-f', 'a'], whole: ['--list', '--file'],
    words: ['xf a', 'xvf a', 'cf OUT a', 'rf a b', 'tf a -x', 'xf a -t', 'uf a b', 'Af a b', 'f a x', '-tf host:a', '-tf -', '-t -f host:a', '--list --file=host:a', 'a -tf b'],
    options: [
      ...does('writes', '-x --extract --get', '-c --create', '-r --append', '-u --update', '-A --catenate --concatenate', '--delete', '-g --listed-incremental=OUT', '-C --directory=DIR', '--index-file=OUT', '--one-top-level', '--remove-files'),
      ...does('executes', '-I --use-compress-program=PROGRAM', '--to-command=PROGRAM', '--checkpoint-action=exec=PROGRAM', '-F --info-script --new-volume-script=PROGRAM', '--rsh-command=PROGRAM', '--rmt-command=PROGRAM'),
      ...does('reads', '-T --files-from=SECRET', '-X --exclude-from=SECRET', '-d --diff --compare', '--volno-file=OUT'), ...does('changes', '-P --absolute-names', '-h --dereference', '-M --multi-volume'),
    ],
  },
  find: {
    benign: ['.', '-name', 'a'], wholeNames: true, words: ['. -exec id ;', '. -exec id {} +', '. -delete', '-D exec .'],
    options: [...does('executes', '-exec=id', '-execdir=id', '-ok=id', '-okdir=id'), ...does('writes', '-delete', '-fprint=OUT', '-fprint0=OUT', '-fprintf=OUT', '-fls=OUT'), ...does('reads', '-files0-from=SECRET', '-newer=SECRET', '-samefile=SECRET'), ...does('follows', '-follow')],
  },
  grep: { benign: ['-n', 'a', 'b'], whole: ['--exclude'], options: [...does('reads', '-f --file=SECRET', '--exclude-from=SECRET'), ...does('waits', '-D --devices=read')] },
  diff: { benign: ['-u', 'a', 'b'], whole: ['--exclude'], options: [...does('reads', '-r --recursive', '--from-file=SECRET', '--to-file=SECRET', '-X --exclude-from=SECRET', '-S --starting-file=a'), ...does('executes', '-l --paginate')] },
  ls: { benign: ['-l', 'a'] },
}
