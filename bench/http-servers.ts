/** Starts the servers of the HTTP rows as processes, bundled as our binary is. */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { build } from 'esbuild'
import type { OwnParts } from './servers/own-http.ts'
import type { SdkParts } from './servers/sdk-http.ts'

export interface StartedServer {
  readonly port: number
  /** Processor time that it has used, all its threads together, in microseconds. */
  cpuUs(): Promise<number>
  /** Lets it write what it holds, and waits for its end. */
  end(): Promise<void>
}

const OUT = 'node_modules/.cache/bench-http'
const END_GRACE_MS = 5_000

let bundled: Promise<unknown> | undefined

const bundle = (): Promise<unknown> =>
  (bundled ??= build({
    entryPoints: ['own-http', 'sdk-http', 'node-echo'].map((name) => `bench/servers/${name}.ts`),
    outdir: OUT, outExtension: { '.js': '.mjs' }, bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20', external: ['libsql'],
    minifySyntax: true, minifyWhitespace: true, legalComments: 'none', logLevel: 'warning',
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  }))

async function startServer(name: string, parts: object): Promise<StartedServer> {
  await bundle()
  const file = resolve(OUT, `${name}.mjs`)
  const child = fork(file, [JSON.stringify(parts)], { execArgv: [], env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  const [port] = await Promise.race([once(child, 'message'), ended.then(() => Promise.reject(new Error(`${name} did not start`)))])
  return {
    port: port as number,
    async cpuUs() {
      const answer = once(child, 'message')
      child.send('cpu')
      return Number((await answer)[0])
    },
    async end() {
      const late = setTimeout(() => child.kill('SIGKILL'), END_GRACE_MS)
      if (child.connected) child.disconnect()
      await ended
      clearTimeout(late)
    },
  }
}

export const startOwn = (parts: OwnParts): Promise<StartedServer> => startServer('own-http', parts)
export const startSdk = (parts: SdkParts): Promise<StartedServer> => startServer('sdk-http', parts)
export const startEcho = (): Promise<StartedServer> => startServer('node-echo', {})
