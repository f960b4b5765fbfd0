/**
 * Commands without a shell, a path or a word that changes something, and what each does on a bare host: shown in a
 * folder of their own, with a network, a host name and processes of their own, before the command table is asked.
 */

import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const SECRET = 'canary9b22secret'
const APART = ['unshare', '--uts', '--net', '--ipc', '--pid', '--fork', '--mount-proc'] as const

export interface Effect {
  readonly argv: readonly string[]
  /** What shows that it happened: in what was printed, or in the folder. */
  shows(seen: Seen): boolean
  /** A shell line that runs before it, in the same place. */
  readonly before?: string
  /** A shell line that runs behind it, and prints what it changed. */
  readonly after?: string
  readonly path?: string
}

export interface Seen {
  readonly output: string
  readonly folder: string
  readonly timedOut: boolean
}

const leaks = ({ output }: Seen): boolean => output.includes(SECRET)
const started = ({ folder }: Seen): boolean => existsSync(join(folder, 'started'))
const hangs = ({ timedOut }: Seen): boolean => timedOut
const wrote = (name: string, text?: string) => ({ folder }: Seen): boolean => existsSync(join(folder, name)) && (text === undefined || readFileSync(join(folder, name), 'latin1').includes(text))
const says = (text: string) => ({ output }: Seen): boolean => output.includes(text)
const runs = (line: string, shows: Effect['shows'], more: Omit<Effect, 'argv' | 'shows'> = {}): Effect => ({ argv: line.split(' '), shows, ...more })

const LOOPBACK = 'ip link set lo up'
/** A connection from this shell to itself, which says whether it still stands. */
const CONNECTION = `${LOOPBACK}; node -e 'const n=require("net");const s=n.createServer(()=>{}).listen(7777,()=>{const c=n.connect(7777);c.on("error",(e)=>{require("fs").writeFileSync("ended",e.code);process.exit()});c.on("close",()=>require("fs").writeFileSync("ended","closed"))});setTimeout(()=>process.exit(),9000)' & sleep 2`

export const EFFECTS: readonly Effect[] = [
  ...['date -f SECRET', 'date -fSECRET', 'date --fi=SECRET', 'date --rfc-3339=s -f SECRET', 'du --files0-from SECRET', 'du --files0=SECRET', 'ip -b SECRET', 'ip -batch SECRET', 'ip -fo -b SECRET', 'ss -F SECRET', 'ss --filt SECRET', 'wc --files0-from=SECRET', 'sort --files0=SECRET', 'file -f SECRET', 'jq -n --rawfile x SECRET $x', 'jq -f SECRET', 'tar -cf - SECRET', 'diff -N hidden empty'].map((line) => runs(line, leaks)),
  ...['ps xe', 'ps axe', 'ps -eTH', 'ps -e -H -T', 'ps -uaxe'].map((line) => runs(line, leaks, { before: `CANARY=${SECRET} sleep 30 &` })),
  ...['jq -n env', 'jq -n $ENV'].map((line) => runs(line, leaks)),
  runs('cat link/../outside', leaks, { before: 'mkdir -p ../away/deep; cp SECRET ../away/outside; ln -s ../away/deep link' }),
  runs('cat ~/a', leaks, { before: 'mkdir "~"; cp SECRET "~/a"' }),
  ...['hostname other', 'hostname -b other', 'hostname -F name'].map((line) => runs(line, says('other'), { before: 'echo other > name', after: 'uname -n' })),
  runs('ip l s lo up', says('UP'), { after: 'ip -br link' }),
  ...['ip a a 10.9.9.9/32 dev lo', 'ip a add 10.9.9.9/32 dev lo'].map((line) => runs(line, says('10.9.9.9'), { after: 'ip -br addr' })),
  runs('ip ro a 10.1.0.0/16 dev lo', says('10.1.0.0'), { before: LOOPBACK, after: 'ip route' }),
  ...['ss -D OUT', 'ss -tD OUT', 'ss --di=OUT'].map((line) => runs(line, wrote('OUT'))),
  runs('ss -K dst 127.0.0.1', wrote('ended'), { before: CONNECTION, after: 'sleep 1' }),
  runs('sort -o OUT a', wrote('OUT', 'text')), runs('sort -oOUT a', wrote('OUT', 'text')), runs('sort --ou=OUT a', wrote('OUT', 'text')), runs('uniq a OUT', wrote('OUT', 'text')),
  runs('tar xf x.tar', wrote('unpacked')), runs('tar cf OUT a', wrote('OUT', 'text')), runs('tar -xf x.tar', wrote('unpacked')),
  ...['tar -tf x.tar --checkpoint=1 --checkpoint-action=exec=./program', 'tar -I ./program -tf x.tar', 'tar --to-command=./program -xf x.tar', 'find a -exec ./program ;', 'find a -ok ./program ;'].slice(0, 4).map((line) => runs(line, started)),
  runs('sort -S 1b --compress-program=./program big', started),
  runs('find a -delete', ({ folder }) => !existsSync(join(folder, 'a'))), runs('find a -fprint OUT', wrote('OUT')),
  runs('file -C -m magic', wrote('magic.mgc')),
  ...['free -s 1', 'ip monitor', 'ss -E', 'tail -f a', 'tail -F a'].map((line) => runs(line, hangs)),
  runs('systemctl --root=root enable x.service', ({ folder }) => lstatSync(join(folder, 'root/etc/systemd/system/multi-user.target.wants/x.service'), { throwIfNoEntry: false })?.isSymbolicLink() === true),
  runs('systemctl -H host status x.service', started, { path: 'bin' }),
  runs('lscpu -s root', says('from-the-root')),
]

/** Runs one on this machine, away from everything else. */
export function happens({ argv, before = ':', after = ':', path, shows }: Effect): boolean {
  const base = mkdtempSync(join(tmpdir(), 'arrowhead-effect-'))
  const folder = join(base, 'folder')
  try {
    furnish(folder)
    const script = `${before}\ntimeout -s KILL 2 "$@" 2>&1; ended=$?\n${after}\n[ $ended != 137 ] || echo timed-out\nexit 0`
    const env = { PATH: `${path === undefined ? '' : `${join(folder, path)}:`}/usr/bin:/bin:/usr/sbin:${process.execPath.replace(/\/node$/, '')}`, LANG: 'C', HOME: folder, MARK: SECRET }
    const { stdout } = spawnSync(APART[0], [...APART.slice(1), 'sh', '-c', script, 'sh', ...argv], { cwd: folder, env, encoding: 'latin1', timeout: 60_000, input: '', maxBuffer: 50_000_000 })
    return shows({ output: stdout, folder, timedOut: stdout.includes('timed-out') })
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

function furnish(folder: string): void {
  const put = (name: string, text: string, mode = 0o644): void => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), mode)
  }
  put('a', 'text\n')
  put('SECRET', `${SECRET}\n`)
  put('hidden/.env', `TOKEN=${SECRET}\n`)
  mkdirSync(join(folder, 'empty'))
  put('program', `#!/bin/sh\ntouch ${folder}/started\ncat\n`, 0o755)
  put('bin/ssh', `#!/bin/sh\ntouch ${folder}/started\n`, 0o755)
  put('big', 'some text that is sorted\n'.repeat(200_000))
  put('magic', '0 string x y\n')
  put('root/etc/systemd/system/x.service', '[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n')
  put('root/proc/cpuinfo', 'processor\t: 0\nmodel name\t: from-the-root\n')
  for (const [name, text] of [['possible', '0\n'], ['present', '0\n'], ['online', '0\n'], ['kernel_max', '0\n']] as const) put(`root/sys/devices/system/cpu/${name}`, text)
  mkdirSync(join(folder, 'root/sys/devices/system/cpu/cpu0/topology'), { recursive: true })
  put('unpacked', 'text')
  spawnSync('tar', ['-cf', 'x.tar', 'unpacked'], { cwd: folder })
  rmSync(join(folder, 'unpacked'))
  symlinkSync('a', join(folder, 'linked'))
}

/** Whether this machine can be kept out of it. */
export const canBeApart = (): boolean => spawnSync(APART[0], [...APART.slice(1), 'true']).status === 0
