/** A machine with something worth reaching for: services, a secret, shared memory, and other processes. */

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createArrowhead } from '../../src/index.ts'
import type { Arrowhead } from '../../src/index.ts'
import { programOf } from './escape-attempt.ts'
import type { Attempt } from './escape-attempt.ts'

/** Listens, shares memory, and says where. */
const HOST = `
import ctypes, json, os, socket, sys, time
folder, marker = sys.argv[1:]
tcp = socket.create_server(('127.0.0.1', 0))
named = socket.socket(socket.AF_UNIX); named.bind(folder + '/socket'); os.chmod(folder + '/socket', 0o777); named.listen()
abstract = socket.socket(socket.AF_UNIX); abstract.bind('\\0' + marker); abstract.listen()
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
shm = libc.shmget(0, 4096, 0o1666)
ctypes.memmove(libc.shmat(shm, None, 0), b'SECRET', 6)
with open('/dev/shm/' + marker, 'w') as file: file.write('SECRET')
os.chmod('/dev/shm/' + marker, 0o666)
print(json.dumps({'port': tcp.getsockname()[1], 'shm': shm}), flush=True)
sys.stdin.read()
libc.shmctl(shm, 0, None)
os.unlink('/dev/shm/' + marker)
`
const CANARY = 'escape-canary-4711'
const GRANTS = JSON.stringify({ grants: [{ subject: '*', actions: ['execute'], kinds: ['sandbox'], prefix: '' }] })
/** Attempts at once: as many as one server runs at once for this many callers. */
const CALLERS = 4

export interface Tried {
  /** Whether the program began at all. */
  readonly began: boolean
  readonly escaped: boolean
  /** For a failing test. */
  readonly said: string
}

export interface EscapeWorld {
  try(attempts: readonly Attempt[]): Promise<ReadonlyMap<string, Tried>>
  close(): Promise<void>
}

export async function openEscapeWorld(runner: 'sandbox' | 'subprocess'): Promise<EscapeWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-escape-'))
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'drop'))
  chmodSync(join(folder, 'drop'), 0o777)
  writeFileSync(join(folder, 'secret'), 'SECRET')
  const marker = `m${randomUUID().replaceAll('-', '').slice(0, 12)}`
  const host = spawn('/usr/bin/python3', ['-c', HOST, folder, marker], { stdio: ['pipe', 'pipe', 'inherit'] })
  const told = JSON.parse(await firstLine(host)) as { port: number; shm: number }
  process.env['ARROWHEAD_TEST_CANARY'] = CANARY
  const arrowhead = createArrowhead({
    execEnabled: true, execRunner: runner, execWorkdir: join(folder, 'scratch'), execWallSeconds: 90, execCpuSeconds: 60,
    authzPolicy: GRANTS, rateLimitEnabled: false, callTimeoutSeconds: 600,
    // An effect needs a record somewhere.
  }, { replace: { trail: null }, log: () => true })
  const constants = { ...told, folder, marker, abstract: marker, hostname: hostname(), canary: CANARY, server: process.pid }
  return {
    try: (attempts) => tryAll(arrowhead, attempts, constants),
    async close() {
      await arrowhead.close()
      delete process.env['ARROWHEAD_TEST_CANARY']
      host.stdin?.end()
      await new Promise((resolve) => host.once('exit', resolve))
      rmSync(folder, { recursive: true, force: true })
      for (const place of ['/tmp', '/dev/shm']) for (const name of readdirSync(place)) if (name.includes(marker)) rmSync(join(place, name), { force: true })
    },
  }
}

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.stdout?.once('data', (bytes: Buffer) => resolve(bytes.toString()))
    child.once('exit', () => reject(new Error('the host of the test did not start')))
  })

type Constants = Readonly<Record<string, string | number>> & { readonly folder: string; readonly marker: string }

async function tryAll(arrowhead: Arrowhead, attempts: readonly Attempt[], constants: Constants): Promise<ReadonlyMap<string, Tried>> {
  const tried = new Map<string, Tried>()
  const waiting = [...attempts]
  const caller = async (subject: string): Promise<void> => {
    for (let attempt = waiting.shift(); attempt; attempt = waiting.shift()) tried.set(attempt.id, await tryOne(arrowhead, attempt, { ...constants, subject }))
  }
  await Promise.all(Array.from({ length: CALLERS }, (_, index) => caller(`caller-${index}`)))
  return tried
}

async function tryOne(arrowhead: Arrowhead, attempt: Attempt, { subject, ...constants }: Constants & { readonly subject: string }): Promise<Tried> {
  // One victim for each attempt: what one ends, the next would miss.
  const victim = spawn('/bin/sleep', ['3600'], { argv0: `sleep-${constants.marker}`, cwd: constants.folder, env: { CANARY }, stdio: 'ignore' })
  const survivor = `3600.${Math.floor(Math.random() * 1e9)}`
  try {
    const code = programOf(attempt, { ...constants, pid: victim.pid ?? 0, survivor })
    const session = arrowhead.as({ subject, scopes: ['exec:run'] })
    const answer = await session.call('run_snippet', { code, language: attempt.language })
    const said = JSON.stringify(answer)
    const lost = victim.exitCode !== null || victim.signalCode !== null
    return { began: said.includes('TRIED'), escaped: lost || said.includes('ESCAPED') || endSurvivors(survivor) > 0, said: said.slice(0, 2000) }
  } catch (error) {
    return { began: false, escaped: false, said: String(error) }
  } finally {
    victim.kill('SIGKILL')
  }
}

/** @returns how many processes with this argument were left; they are ended here. */
function endSurvivors(argument: string): number {
  let left = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(argument)) continue
      left += 1
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It ended meanwhile.
    }
  }
  return left
}
