import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import type { BuildOptions } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReceiver } from './receiver.fixture.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** Below node_modules, so that packages resolve as they do for the sources. */
const CACHE = join(ROOT, 'node_modules', '.cache')

/** Makes one call in a process of its own, then tells what was seen of it and which packages that process holds. */
const CHILD = `
  import { createRequire } from 'node:module'
  import { loadSettings } from '../../config/index.ts'
  import { systemClock } from '../../exits/clock.ts'
  import { testApp } from '../../testing/index.ts'
  import { createTelemetry } from './index.ts'
  import { calculate, observe } from './receiver.fixture.ts'

  const settings = JSON.parse(process.argv[2])
  const { values } = loadSettings({ file: JSON.stringify(settings) })
  const observed = createTelemetry(values, { clock: systemClock }) && observe(settings)
  const { is } = observed ? await observed.call(calculate('6*7')) : await testApp().call('calculate', { expression: '6*7' })
  await observed?.telemetry.ready
  const page = await observed?.telemetry.prometheusText?.().catch(() => 'none')
  const held = Object.keys(createRequire(import.meta.url).cache).map((file) => /@opentelemetry\\/([^/]+)/.exec(file)?.[1])
  await observed?.close()
  console.log(JSON.stringify({ is, page, held: [...new Set(held)].filter(Boolean).sort(), warnings: observed?.warnings ?? [] }))
`

interface Told {
  readonly is: string
  readonly page?: string
  readonly held: readonly string[]
  readonly warnings: readonly string[]
}

const bundled = (outdir: string, more: BuildOptions): Promise<unknown> =>
  build({
    stdin: { contents: CHILD, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts', sourcefile: 'child.ts' },
    outdir, entryNames: 'child', outExtension: { '.js': '.mjs' }, bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'warning', ...more,
  })

const run = async (folder: string, settings: object): Promise<Told> =>
  JSON.parse((await execute(process.execPath, [join(folder, 'child.mjs'), JSON.stringify(settings)], { env: {} })).stdout) as Told

const execute = promisify(execFile)
/** As the executable is built. */
const BANNER = { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" }

describe('the packages of OpenTelemetry', () => {
  let folder = ''
  beforeAll(async () => {
    mkdirSync(CACHE, { recursive: true })
    folder = mkdtempSync(join(CACHE, 'telemetry-child-'))
    await bundled(folder, { packages: 'external' })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('are not loaded where no setting asks for them', async () => {
    expect(await run(folder, {})).toEqual({ is: 'ok', held: [], warnings: [] })
  })

  it('are loaded where a collector is named, all but those of the Prometheus page', async () => {
    const { held } = await run(folder, { otelExporterOtlpEndpoint: 'http://127.0.0.1:9' })
    expect(held).toEqual(expect.arrayContaining(['api', 'otlp-transformer', 'resources', 'sdk-metrics', 'sdk-trace']))
    expect(held).not.toContain('exporter-prometheus')
  })

  it('are loaded for the Prometheus page without those of traces', async () => {
    const { held } = await run(folder, { prometheusEnabled: true })
    expect(held).toEqual(expect.arrayContaining(['exporter-prometheus', 'sdk-metrics']))
    expect(held.filter((name) => ['sdk-trace', 'otlp-transformer'].includes(name))).toEqual([])
  })

  it('may be absent: it is said, and calls go on', async () => {
    const bare = mkdtempSync(join(tmpdir(), 'arrowhead-bare-'))
    await bundled(bare, { external: ['libsql', '@opentelemetry/*'], banner: BANNER })
    const told = await run(bare, { otelExporterOtlpEndpoint: 'http://127.0.0.1:9' })
    expect(told).toMatchObject({ is: 'ok', held: [], warnings: [expect.stringMatching(/could not be loaded \(ERR_MODULE_NOT_FOUND\)/)] })
    rmSync(bare, { recursive: true, force: true })
  })

  it('work inside a bundle, as the executable carries them', async () => {
    const receiver = await startReceiver()
    const whole = mkdtempSync(join(CACHE, 'telemetry-whole-'))
    // How the HTTP client is bundled is the network exit's matter.
    await bundled(whole, { external: ['libsql', 'undici'], banner: BANNER })
    const told = await run(whole, { prometheusEnabled: true, otelExporterOtlpEndpoint: receiver.endpoint })
    expect(told).toMatchObject({ is: 'ok', held: [], warnings: [], page: expect.stringContaining('arrowhead_calls_total{component="calculate"') })
    expect(receiver.spans()).toMatchObject([{ name: 'tools/call calculate' }])
    expect(receiver.points('mcp.server.operation.duration')).toHaveLength(1)
    rmSync(whole, { recursive: true, force: true })
    await receiver.close()
  })
})
