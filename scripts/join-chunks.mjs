// Fewer files at a start. Splitting makes a chunk for each set of entry points that share code, and loading a module
// takes far longer than reading it. So the chunks that the same starts wait for become one file.
import { rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build } from 'esbuild'

/** What a client or a person waits for, and the sources that are loaded until then. What the first start loads, the others have already. */
const STARTS = {
  any: ['src/bin.ts'],
  command: ['program', 'config', 'logs'].map((name) => `src/doors/cli/${name}.ts`),
  serve: ['src/doors/cli/serve.ts', 'src/doors/stdio/serve-stdio.ts'],
  workspace: ['src/doors/cli/mcp-serve.ts', 'src/doors/stdio/serve-stdio.ts'],
}

/**
 * Joins chunks of a split build in place; all the others import from the joined ones.
 * @param outputs as the metafile names them
 * @param options those of the build
 */
export async function joinChunks(outputs, options) {
  const chunks = chunksOf(outputs)
  const homeOf = homesOf(chunks)
  const homes = [...new Set(homeOf.values())]
  const left = [...chunks.keys()].filter((name) => !homeOf.has(name))
  // What is imported while the program runs keeps its name, and leads to where it is now.
  const asked = [...homeOf.keys()].filter((name) => chunks.get(name).entryPoint !== undefined)
  const { outputFiles } = await build({
    ...options,
    entryPoints: [...homes, ...left, ...asked].map((name) => ({ in: name, out: basename(name, '.js') })),
    splitting: false, write: false,
    plugins: [joining(chunks, homeOf, options.outdir)],
  })
  for (const name of homeOf.keys()) rmSync(join(options.outdir, name))
  for (const { path, contents } of outputFiles) writeFileSync(path, contents)
}

function joining(chunks, homeOf, outdir) {
  const renamed = (name, exported) => `${name.replaceAll(/\W/g, '_')}_${exported}`
  const named = (name, pair) => chunks.get(name).exports.map((exported) => pair(exported, renamed(name, exported)).join(' as ')).join()
  /** A joined file gives what each of its chunks gave, under names that cannot meet. */
  const joined = (home) => [...homeOf].filter(([, one]) => one === home)
    .map(([name]) => `export {${named(name, (exported, unique) => [exported, unique])}} from './${name}'`).join('\n')
  const moved = (name) => `export {${named(name, (exported, unique) => [unique, exported])}} from './${homeOf.get(name)}'`

  const asItIs = (name) => ({ path: resolve(outdir, name) })
  const entry = (name) => (homeOf.has(name) ? { path: name, namespace: 'moved' } : chunks.has(name) ? asItIs(name) : { path: name, namespace: 'joined' })
  const imported = (name, by) => (homeOf.get(name) === by ? asItIs(name) : { path: name, namespace: 'moved' })
  return {
    name: 'joining',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ path, kind, namespace, importer }) => {
        if (kind === 'entry-point') return entry(path)
        if (kind !== 'import-statement' || namespace === 'moved' || !homeOf.has(basename(path))) return { path, external: true }
        return imported(basename(path), namespace === 'joined' ? importer : homeOf.get(basename(importer)))
      })
      onLoad({ filter: /./, namespace: 'joined' }, ({ path }) => ({ contents: joined(path), resolveDir: outdir }))
      onLoad({ filter: /./, namespace: 'moved' }, ({ path }) => ({ contents: moved(path) }))
    },
  }
}

/** By file name: what each chunk exports, and which ones are loaded with it. */
const chunksOf = (outputs) => new Map(Object.entries(outputs).map(([path, { entryPoint, exports, imports }]) => [
  basename(path),
  { entryPoint, exports, needs: imports.filter(({ kind, external }) => kind === 'import-statement' && !external).map(({ path }) => basename(path)) },
]))

/** The file names of all chunks that are loaded with these once they are joined, themselves included. */
export function loadedWith(names, outputs) {
  const chunks = chunksOf(outputs)
  const homeOf = homesOf(chunks)
  const loaded = new Set(names)
  for (const name of loaded) {
    for (const needed of chunks.get(name)?.needs ?? []) loaded.add(needed)
    for (const [other, home] of homeOf) if (home === homeOf.get(name)) loaded.add(other)
  }
  return loaded
}

/** The joined file of each chunk that a start waits for. */
function homesOf(chunks) {
  const [first, ...others] = Object.entries(STARTS).map(([start, sources]) => ({ start, names: reached(chunks, sources) }))
  const homeOf = new Map()
  for (const [name, { exports }] of chunks) {
    const needing = first.names.has(name) ? [first] : others.filter(({ names }) => names.has(name))
    // A chunk that exports nothing is there to be run, so it stays what it is.
    if (needing.length > 0 && exports.length > 0) homeOf.set(name, `start-${needing.map(({ start }) => start).join('-')}.js`)
  }
  return homeOf
}

function reached(chunks, sources) {
  const names = new Set()
  for (const source of sources) {
    const [entry] = [...chunks].find(([, { entryPoint }]) => entryPoint === source) ?? []
    if (entry === undefined) throw new Error(`no start loads ${source}`)
    names.add(entry)
  }
  for (const name of names) for (const needed of chunks.get(name).needs) names.add(needed)
  return names
}
