import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { BuildOptions } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** Below node_modules, so that packages resolve as they do for the sources. */
const CACHE = join(ROOT, 'node_modules', '.cache')

/** Makes one call in a process of its own, then tells which packages of OpenTelemetry that process holds. */
const CHILD = `
  import { createRequire } from 'node:module'
  import { loadSettings } from '../../config/index.ts'
  import { systemClock } from '../../exits/clock.ts'
  import { testApp } from '../../testing/index.ts'
  import { createTelemetry } from './index.ts'

  const settings = JSON.parse(process.argv[2])
  const warnings = []
  const telemetry = createTelemetry(loadSettings({ file: JSON.stringify(settings) }).values, { clock: systemClock, warn: (problem) => warnings.push(problem) })
  const { is } = await testApp({ settings }).call('calculate', { expression: '6*7' })
  await telemetry?.ready
  const held = Object.keys(createRequire(import.meta.url).cache).map((file) => /@opentelemetry\\/([^/]+)/.exec(file)?.[1])
  await telemetry?.close()
  console.log(JSON.stringify({ is, held: [...new Set(held)].filter(Boolean).sort(), warnings }))
`

interface Told {
  readonly is: string
  readonly held: readonly string[]
  readonly warnings: readonly string[]
}

const bundled = (outfile: string, more: BuildOptions): Promise<unknown> =>
  build({
    stdin: { contents: CHILD, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' }, outfile,
    bundle: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning', ...more,
  })

const run = (file: string, settings: object): Told =>
  JSON.parse(execFileSync(process.execPath, [file, JSON.stringify(settings)], { encoding: 'utf8', env: {} })) as Told

describe('the packages of OpenTelemetry', () => {
  let folder = ''
  const child = (): string => join(folder, 'child.mjs')
  beforeAll(async () => {
    mkdirSync(CACHE, { recursive: true })
    folder = mkdtempSync(join(CACHE, 'telemetry-child-'))
    await bundled(child(), { packages: 'external' })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('are not loaded where no setting asks for them', () => {
    expect(run(child(), {})).toEqual({ is: 'ok', held: [], warnings: [] })
  })

  it('are loaded where a collector is named, all but those of the Prometheus page', () => {
    const { held } = run(child(), { otelExporterOtlpEndpoint: 'http://127.0.0.1:9' })
    expect(held).toEqual(expect.arrayContaining(['api', 'otlp-transformer', 'resources', 'sdk-metrics', 'sdk-trace']))
    expect(held).not.toContain('exporter-prometheus')
  })

  it('are loaded for the Prometheus page without those of traces', () => {
    const { held } = run(child(), { prometheusEnabled: true })
    expect(held).toEqual(expect.arrayContaining(['exporter-prometheus', 'sdk-metrics']))
    expect(held.filter((name) => ['sdk-trace', 'otlp-transformer'].includes(name))).toEqual([])
  })

  it('may be absent: it is said, and calls go on', async () => {
    const bare = mkdtempSync(join(tmpdir(), 'arrowhead-bare-'))
    const banner = { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" }
    await bundled(join(bare, 'child.mjs'), { external: ['libsql', '@opentelemetry/*'], banner })
    const told = run(join(bare, 'child.mjs'), { otelExporterOtlpEndpoint: 'http://127.0.0.1:9' })
    expect(told).toMatchObject({ is: 'ok', held: [], warnings: [expect.stringMatching(/could not be loaded \(ERR_MODULE_NOT_FOUND\)/)] })
    rmSync(bare, { recursive: true, force: true })
  })
})
