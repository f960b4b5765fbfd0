/**
 * Runs commands where they can harm nobody, and tells which did more than look: by what the kernel says that they
 * called (strace(1)), by what is in their folder afterwards, by what they printed, and by whether they ended.
 */

import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Stands in the environment of another process. */
const CANARY = 'canary5d1e-of-another-process'
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LANG: 'C', LC_ALL: 'C', TERM: 'dumb', HOME: '/nonexistent', SYSTEMD_PAGER: '', PAGER: '' }
const WALL_MS = 20_000
/** A host name, a clock, a network and mounts of its own, so that a command that gets through changes nothing here. */
const APART = ['unshare', '--uts', '--net', '--ipc', '--mount', '--propagation', 'private'] as const
const CALLS = 'execve,openat,open,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,chmod,fchmod,fchmodat,chown,fchown,fchownat,truncate,ftruncate,utimensat,mknod,mknodat,mount,umount2,sethostname,setdomainname,settimeofday,clock_settime,adjtimex,kill,tkill,tgkill,connect,setns,reboot,ptrace'
const OPENED_TO_WRITE = /^(?:\d+ +)?(?:openat|open|creat)\((?:[^,]*, )?"([^"]*)".*\bO_(?:WRONLY|RDWR|CREAT|TRUNC)\b.*= \d+/
const HARMLESS = /^\/dev\/(?:null|tty)$/
const CHANGES = /^(?:\d+ +)?(?:unlink|rename|mkdir|rmdir|link|symlink|f?ch(?:mod|own)|truncate|ftruncate|utimens|mknod|u?mount|set(?:host|domain)name|settimeofday|clock_settime|t?g?kill|setns|reboot|ptrace)\w*\(.*= 0$/
const STARTED = /^(?:\d+ +)?execve\(.*= 0$/
const CONNECTED = /^(?:\d+ +)?connect\(.*AF_INET/
/** It answers with names that only a name service knows; where there is no network it asks none. */
const ASKS_NAMES = /\/hostname$/

/** Whether commands can be watched here at all. */
export const canWatch = (): boolean => spawnSync(APART[0], [...APART.slice(1), 'strace', '-qq', '-o', '/dev/null', 'true']).status === 0

/** @returns each command that did more, with what it did. */
export async function watchCommands(place: string, commands: readonly (readonly string[])[]): Promise<readonly string[]> {
  if (commands.length === 0) return []
  const base = mkdtempSync(join(tmpdir(), 'arrowhead-watch-'))
  const other = spawn('sleep', ['600'], { env: { ...ENVIRONMENT, CANARY }, stdio: 'ignore' })
  try {
    const acted: string[] = []
    for (const args of commands) {
      const did = await watchOne(base, place, args)
      if (did.length > 0) acted.push(`${args.join(' ')}: ${did.join(', ')}`)
    }
    return acted
  } finally {
    other.kill()
    rmSync(base, { recursive: true, force: true })
  }
}

async function watchOne(base: string, place: string, args: readonly string[]): Promise<readonly string[]> {
  const [folder, log] = [join(base, 'folder'), join(base, 'log')]
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const name of ['a', 'b', '1']) writeFileSync(join(folder, name), 'text\n')
  const before = pictureOf(folder)
  const { output, ended } = await run([...APART, 'strace', '-f', '-qq', '-s', '200', '-e', `trace=${CALLS}`, '-o', log, place, ...args], folder)
  const lines = readFileSync(log, 'utf8').split('\n')
  return [
    ...(ended ? [] : ['did not end']),
    ...(output.includes(CANARY) ? ['told the environment of another process'] : []),
    ...(pictureOf(folder) === before ? [] : ['changed its folder']),
    ...(lines.filter((line) => STARTED.test(line)).length > 1 ? ['started another program'] : []),
    ...lines.flatMap((line) => { const [, path] = OPENED_TO_WRITE.exec(line) ?? []; return path === undefined || HARMLESS.test(path) ? [] : [`opened ${path} to write`] }),
    ...lines.filter((line) => CHANGES.test(line)).map((line) => `called ${line.slice(0, 80)}`),
    ...(lines.some((line) => CONNECTED.test(line)) && !ASKS_NAMES.test(place) ? ['connected'] : []),
  ]
}

const pictureOf = (folder: string): string => JSON.stringify(readdirSync(folder).sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

function run([program = '', ...args]: readonly string[], cwd: string): Promise<{ readonly output: string; readonly ended: boolean }> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { cwd, env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    let [output, ended] = ['', true]
    const take = (bytes: Buffer): void => void (output += output.length < 5_000_000 ? bytes.toString('latin1') : '')
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    const late = setTimeout(() => {
      ended = false
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, WALL_MS)
    child.on('error', fail)
    child.on('close', () => {
      clearTimeout(late)
      done({ output, ended })
    })
  })
}
