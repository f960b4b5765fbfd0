/** Replicas as an operator runs them: processes of the built binary that share Redis, Postgres and a bucket, behind nginx. */

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { ROOT, builtBinary } from '../process/built-binary.ts'

export interface Replica {
  readonly url: string
  readonly port: number
  readonly dataDir: string
  readonly child: ChildProcess
  readonly log: () => string
  /** Resolves when the process ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

export interface Deployment {
  /** Where the proxy listens; empty where there is none. */
  readonly url: string
  start(more?: Readonly<Record<string, string>>): Promise<Replica>
  /** Sends clients to these replicas from now on; calls that run elsewhere end there. */
  route(replicas: readonly Replica[]): Promise<void>
  remove(): Promise<void>
}

export interface DeploymentOptions {
  /** Whether the proxy keeps connections open, which a client that is in the middle of a reload must not count on. @default false */
  readonly keepAlive?: boolean
  /** Folder of the package. */
  readonly root?: string
  /** @default a build of the sources */
  readonly binary?: string
}

export async function openDeployment(env: Readonly<Record<string, string>>, { keepAlive = false, root = ROOT, binary: given }: DeploymentOptions = {}): Promise<Deployment> {
  const binary = given ?? (await builtBinary())
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-replicas-'))
  const port = await freePort()
  const replicas = new Set<Replica>()
  let nginx: ChildProcess | undefined
  let started = 0

  const start = async (more: Readonly<Record<string, string>> = {}): Promise<Replica> => {
    const [own, cwd] = [await freePort(), join(folder, `replica-${started++}`)]
    mkdirSync(join(cwd, 'sandbox'), { recursive: true })
    const child = spawn(process.execPath, [binary, 'serve', '--http'], {
      cwd, stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '', HOME: cwd, ARROWHEAD_DATA_DIR: join(cwd, 'data'), ARROWHEAD_PORT: String(own), ARROWHEAD_ALLOW_INSECURE_HTTP: 'true',
        // The proxy passes the public name on.
        ARROWHEAD_ALLOWED_HOSTS: `127.0.0.1:${port},127.0.0.1:${own}`, ARROWHEAD_STATE_KEY: 'k'.repeat(40), ...env, ...more,
      },
    })
    let log = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => void (log += text))
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const replica: Replica = {
      url: `http://127.0.0.1:${own}/mcp`, port: own, dataDir: join(cwd, 'data'), child, log: () => log,
      async end(signal) {
        replicas.delete(replica)
        child.kill(signal)
        await ended
      },
    }
    replicas.add(replica)
    await until(() => log.includes('listening on') || child.exitCode !== null)
    if (child.exitCode !== null) throw new Error(`a replica did not start: ${log}`)
    return replica
  }

  const route = async (targets: readonly Replica[]): Promise<void> => {
    writeFileSync(join(folder, 'nginx.conf'), configOf({ folder, port, keepAlive, root }, targets))
    if (nginx === undefined) {
      nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], { stdio: ['ignore', 'ignore', 'pipe'] })
      let said = ''
      nginx.stderr?.setEncoding('utf8').on('data', (text: string) => void (said += text))
      await until(async () => (await fetch(`http://127.0.0.1:${port}/health`).catch((error: unknown) => void (said ||= String(error))))?.ok === true).catch((error: unknown) => {
        throw new Error(`${String(error)}: ${said} ${readFileSync(join(folder, 'error.log'), 'utf8').slice(0, 500)}`)
      })
      return
    }
    nginx.kill('SIGHUP')
    // New workers take over within a moment; the old ones finish what they began.
    await new Promise((resolve) => setTimeout(resolve, 500))
  }

  return {
    url: `http://127.0.0.1:${port}/mcp`, start, route,
    async remove() {
      nginx?.kill('SIGTERM')
      for (const replica of [...replicas]) await replica.end('SIGKILL')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

interface ProxyPlace {
  readonly folder: string
  readonly port: number
  readonly keepAlive: boolean
  readonly root: string
}

/** The file that is shipped, with the addresses of this deployment. */
const configOf = ({ folder, port, keepAlive, root }: ProxyPlace, targets: readonly Replica[]): string => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 2048; }
http {
  access_log off;
  # A connection that is closed for a reload must not be one that a client is just about to use.
  keepalive_timeout ${keepAlive ? 60 : 0};
  keepalive_requests 1000000;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
  ${readFileSync(join(root, 'deploy', 'nginx-replicas.conf'), 'utf8')
    .replace(/(?:\s*server 127\.0\.0\.1:\d+;)+/, targets.map((replica) => `\nserver 127.0.0.1:${replica.port};`).join(''))
    .replace('listen 8000;', `listen 127.0.0.1:${port};`)}
}
`

async function until(is: () => boolean | Promise<boolean>): Promise<void> {
  for (let n = 0; n < 600; n += 1) {
    if (await is()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('it did not come to be within half a minute')
}
