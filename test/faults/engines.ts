/** Engines of a test's own, as processes that can be killed and started again on the port they had. */

import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'

export interface Engine {
  readonly url: string
  start(): Promise<void>
  /** Ends it as a crash would, at once and without a word to anybody. */
  kill(): Promise<void>
  remove(): Promise<void>
}

const POSTGRES = '/usr/lib/postgresql'

const binOfPostgres = (): string | undefined => {
  const newest = existsSync(POSTGRES) ? readdirSync(POSTGRES).sort((a, b) => Number(b) - Number(a))[0] : undefined
  return newest === undefined ? undefined : join(POSTGRES, newest, 'bin')
}

const hasRedis = (): boolean => (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, 'redis-server')))

/** What is missing here for engines of one's own; undefined where nothing is. */
export const missingEngines = (): string | undefined => {
  const missing = [...(binOfPostgres() === undefined ? ['postgres'] : []), ...(hasRedis() ? [] : ['redis-server'])]
  return missing.length === 0 ? undefined : `${missing.join(' and ')} is not installed (apt-get install postgresql redis-server)`
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

async function until(is: () => Promise<boolean>): Promise<void> {
  for (let n = 0; n < 600; n += 1) {
    if (await is()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the engine did not come up within half a minute')
}

/** Keeps nothing: what it knew is gone with it. */
export async function openRedis(): Promise<Engine> {
  const [folder, port] = [mkdtempSync(join(tmpdir(), 'arrowhead-redis-')), await freePort()]
  let child: ChildProcess | undefined
  const kill = async (): Promise<void> => {
    const ended = new Promise((resolve) => child?.once('exit', resolve))
    if (child?.kill('SIGKILL') === true) await ended
    child = undefined
  }
  return {
    url: `redis://127.0.0.1:${port}/0`, kill,
    async start() {
      child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'], { stdio: 'ignore' })
      await until(() => answers(port))
    },
    async remove() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Keeps what it committed, as Postgres does. */
export async function openPostgres(): Promise<Engine> {
  const [bin, folder, port] = [binOfPostgres() ?? '', mkdtempSync(join(tmpdir(), 'arrowhead-postgres-')), await freePort()]
  const data = join(folder, 'data')
  // It refuses to run as root; a user of its own comes with the package.
  const asRoot = process.getuid?.() === 0
  const run = (program: string, ...args: readonly string[]): void =>
    void execFileSync(...(asRoot ? (['runuser', ['-u', 'postgres', '--', join(bin, program), ...args]] as const) : ([join(bin, program), args] as const)), { stdio: 'ignore', cwd: folder })
  if (asRoot) execFileSync('chown', ['postgres', folder])
  else chmodSync(folder, 0o700)
  run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N')
  const kill = async (): Promise<void> => {
    try {
      run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop')
    } catch {
      // It was not running.
    }
  }
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`, kill,
    start: async () => run('pg_ctl', '-D', data, '-l', join(folder, 'log'), '-w', '-o', `-p ${port} -c listen_addresses=127.0.0.1 -k ${folder} -c max_connections=100`, 'start'),
    async remove() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
