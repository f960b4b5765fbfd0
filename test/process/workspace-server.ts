/** `mcp-serve` as a process of its own, over a folder that a test filled. */

import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams, StdioOptions } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { builtBinary } from './built-binary.ts'
import { HANDSHAKE, talk } from './child.ts'
import type { Server } from './child.ts'

export interface WorkspacePlace {
  readonly base: string
  readonly cwd: string
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  /** Made by a git that anything here runs. */
  readonly marker: string
  put(path: string, content: string): void
  /** Starts a server and introduces a client. */
  serve(args?: readonly string[], more?: Readonly<Record<string, string>>, nodeArgs?: readonly string[]): Promise<Server>
  /** Runs the command to its end with these ends of its input and output. */
  run(args: readonly string[], options?: { readonly stdio?: StdioOptions; readonly env?: Readonly<Record<string, string>> }): Promise<{ readonly code: number | null; readonly err: string }>
  remove(): void
}

/** @param folder an existing workspace; without one, an empty one is made. */
export function makeWorkspacePlace(folder?: string): WorkspacePlace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'arrowhead-workspace-')))
  const [cwd, dataDir, bin, marker] = [folder ?? join(base, 'repo'), join(base, 'data'), join(base, 'bin'), join(base, 'git-ran')]
  for (const one of [cwd, bin]) mkdirSync(one, { recursive: true })
  for (const name of ['git', 'sh', 'bash']) {
    writeFileSync(join(bin, name), `#!/bin/sh\n/usr/bin/touch '${marker}'\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const env = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`, HOME: join(base, 'home'), ARROWHEAD_DATA_DIR: dataDir, ARROWHEAD_RATE_LIMIT_ENABLED: 'false' }
  const children = new Set<ChildProcessWithoutNullStreams>()
  return {
    base, cwd, dataDir, env, marker,
    put(path, content) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true })
      writeFileSync(join(cwd, path), content)
    },
    async serve(args = ['--cwd', cwd], more = {}, nodeArgs = []) {
      const child = spawn(process.execPath, [...nodeArgs, await builtBinary(), 'mcp-serve', ...args], { cwd, env: { ...env, ...more } })
      children.add(child)
      child.once('exit', () => children.delete(child))
      const server = talk(child)
      server.send(HANDSHAKE)
      await server.answer('hello')
      return server
    },
    async run(args, { stdio = 'pipe', env: more = {} } = {}) {
      const child = spawn(process.execPath, [await builtBinary(), 'mcp-serve', ...args], { cwd, env: { ...env, ...more }, stdio })
      let err = ''
      child.stderr?.setEncoding('utf8').on('data', (text: string) => void (err += text))
      child.stdin?.end()
      return new Promise((resolve) => child.once('close', (code) => resolve({ code, err })))
    },
    remove() {
      for (const child of children) child.kill('SIGKILL')
      rmSync(base, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Resolves once the server has seen the whole tree. */
export async function indexed(server: Server): Promise<void> {
  for (let id = 1_000_000; ; id += 1) {
    const { result } = (await server.call(id, 'search_code', { query: 'x' })) as { result?: { structuredContent?: { index?: string } } }
    if (result?.structuredContent?.index?.startsWith('building') !== true) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
