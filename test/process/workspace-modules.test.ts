/** What a workspace server without an assistant loads: nothing that could call a model, reach a network or run a program. */

import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { loadedWith } from '../../scripts/join-chunks.mjs'
import { PACKAGES_APART, workerEntries } from '../../scripts/workers.mjs'
import { ROOT } from './built-binary.ts'
import { HANDSHAKE, talk } from './child.ts'
import { makeWorkspacePlace } from './workspace-server.ts'

/** Notes each module of this process, as it is loaded. */
const HOOK = (file: string): string => {
  const load = `import { appendFileSync } from 'node:fs'; export async function load(url, context, next) { appendFileSync(${JSON.stringify(file)}, url + '\\n'); return next(url, context) }`
  const register = `import { register } from 'node:module'; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(load)}`)})`
  return `data:text/javascript,${encodeURIComponent(register)}`
}

const FORBIDDEN = /^src\/(?:assistant|exits\/(?:net|process(?!\/job-thread))|services\/(?:models|runner|notify|sql|vectors|embedding|database|identity|solo-agent|hooks\/create|tree-files|local-files|checkpoints|overlay)|tools\/confined|app\/(?:workspace-agent|workspace-tree|chat-model|metered-model|standing-orders|confinement|models|runner|notify|sql|services|create-app|identity|data))\b|node_modules\/(?:undici|ws|openai|pg|mysql2)\//

test('neither a model, nor a key, nor a network, nor a program is there', async () => {
  const place = makeWorkspacePlace()
  const outdir = join(ROOT, 'node_modules', '.cache', `workspace-modules-${process.pid}`)
  try {
    const { metafile } = await build({
      entryPoints: { arrowhead: join(ROOT, 'src', 'bin.ts'), ...workerEntries() }, outdir, absWorkingDir: ROOT, metafile: true,
      bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20', external: PACKAGES_APART, logLevel: 'warning',
      banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    })
    writeFileSync(join(outdir, 'package.json'), '{"type":"module"}')
    place.put('a.ts', '// x\nexport const needle = 1\n')
    const log = join(place.base, 'loaded')
    const server = talk(spawn(process.execPath, ['--import', HOOK(log), join(outdir, 'arrowhead.js'), 'mcp-serve', '--cwd', place.cwd], { env: { ...place.env } }))
    server.send(HANDSHAKE)
    await server.answer('hello')
    for (const [id, name] of ['search_code', 'list_sessions', 'read_session', 'ask_arrowhead'].entries()) await server.call(id, name, { query: 'needle', session_id: 'x', prompt: 'x' })
    await server.call(10, 'search_code', { query: 'needle', path: 'a.ts', detail: 'snippets' })
    await server.call(11, 'list_sessions', {})
    server.send({ jsonrpc: '2.0', id: 12, method: 'prompts/list' })
    await server.answer(12)
    server.child.stdin.end()
    await server.exited
    const urls = readFileSync(log, 'utf8').split('\n').filter(Boolean)
    const loaded = urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url))
    const [at, within] = [relative(ROOT, outdir), realpathSync(outdir)]
    const chunks = loaded.map((file) => (file.startsWith(within) ? join(at, relative(within, file)) : file))
    // As it is shipped, chunks are joined, and what is joined to one of these is loaded with it.
    const joined = [...loadedWith(chunks.filter((chunk) => dirname(chunk) === at).map((chunk) => basename(chunk)), metafile.outputs)].map((name) => join(at, name))
    const inputs = [...new Set([...chunks, ...joined])].flatMap((chunk) => Object.entries(metafile.outputs[chunk]?.inputs ?? {}).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : [])))
    expect(inputs).toContain('src/services/workspace-search/create-workspace-search.ts')
    expect([...inputs, ...chunks].filter((one) => FORBIDDEN.test(one))).toEqual([])
    expect(urls.filter((url) => /^node:(?:child_process|https?|http2|net|tls|dgram|dns)\b/.test(url))).toEqual([])
  } finally {
    place.remove()
    rmSync(outdir, { recursive: true, force: true })
  }
})
