/** The packed package works for somebody who has nothing else: installs, runs, imports, compiles. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../process/built-binary.ts'
import { install, pack } from './consumer.ts'

let packed: ReturnType<typeof pack>
let consumer: ReturnType<typeof install>

beforeAll(() => {
  packed = pack()
  consumer = install(packed)
}, 600_000)
afterAll(() => {
  consumer?.remove()
  packed?.remove()
})

const manifest = () => JSON.parse(readFileSync(join(consumer.folder, 'node_modules', 'arrowhead', 'package.json'), 'utf8')) as {
  readonly version: string
  readonly scripts: Readonly<Record<string, string>>
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

describe('the tarball', () => {
  test('holds no test, fixture, source, map, setting of this machine or cache', () => {
    const strange = packed.files.filter((path) =>
      /\.(?:test|fixture|soak|slow)\.|\.map$|(?:^|\/)\.(?!env\.example$)|(?:^|\/)(?:test|tests|bench|scripts|src|node_modules)\/|\.sqlite/.test(path) || (path.endsWith('.ts') && !path.endsWith('.d.ts')))
    expect(strange).toEqual([])
  })

  test('holds everything that package.json points at', () => {
    const { bin, exports } = manifest()
    const targets = [...Object.values(bin), ...Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)))]
    for (const target of targets) expect(packed.files).toContain(target.replace(/^\.\//, ''))
  })

  test('stands on top-level files that were meant for it', () => {
    const top = new Set(packed.files.map((path) => path.split('/')[0]))
    for (const name of top) expect(['deploy', 'dist', 'sandbox', 'docs', 'README.md', 'LICENSE', 'NOTICE', 'package.json', '.env.example']).toContain(name)
  })

  test('runs nothing when it is installed', () => {
    const lifecycle = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'postprepare']
    expect(Object.keys(manifest().scripts).filter((name) => lifecycle.includes(name))).toEqual([])
    // `prepare` is not run for consumers; if it were, it would fail, because what it runs is not there.
    expect(packed.files.filter((path) => path.startsWith('scripts/'))).toEqual([])
  })
})

describe('the executable', () => {
  test('runs by npx and tells the version of the package', () => {
    expect(consumer.run('npx', ['--no-install', 'arrowhead', '--version'])).toEqual({ code: 0, out: `${manifest().version}\n`, err: '' })
  })

  test('makes a guarded call', () => {
    expect(consumer.run('npx', ['--no-install', 'arrowhead', 'tools', 'call', 'calculate', '{"expression":"6 * 7"}'])).toMatchObject({ code: 0, out: '{\n  "result": 42\n}\n' })
  })
})

describe('the listing in the executable', () => {
  test('is what the library works out from the schemas', () => {
    consumer.write('list.mjs', `
      import { createArrowhead } from 'arrowhead'
      const house = createArrowhead({}, { dataDir: 'data' })
      console.log(JSON.stringify({ tools: await house.asLocal().list('tools') }, null, 2))
      await house.close()`)
    const { out } = consumer.run('node', ['list.mjs'])
    expect(out).toContain('"calculate"')
    const { code, out: listed, err } = consumer.run('npx', ['--no-install', 'arrowhead', 'tools', 'list', '--json'])
    const { tools } = JSON.parse(listed) as { tools: unknown }
    expect({ code, tools, err }).toEqual({ code: 0, tools: (JSON.parse(out) as { tools: unknown }).tools, err: '' })
  })
})

describe('an import', () => {
  test('of arrowhead makes calls, and a refusal is one that can be recognised', () => {
    consumer.write('call.mjs', `
      import { createArrowhead, Refusal } from 'arrowhead'
      const house = createArrowhead({}, { dataDir: 'data' })
      const { result } = await house.asLocal().call('calculate', { expression: '6 * 7' })
      const no = await house.call('calculate', { expression: '1' }).catch((error) => error)
      await house.close()
      console.log(JSON.stringify([result, no instanceof Refusal, no.code]))`)
    expect(consumer.run('node', ['call.mjs'])).toEqual({ code: 0, out: '[42,true,"component.unknown"]\n', err: '' })
  })

  test('of arrowhead/testing runs a tool of the user\'s own through the chain', () => {
    consumer.write('own.mjs', `
      import { defineTool } from 'arrowhead'
      import { testApp } from 'arrowhead/testing'
      import * as z from 'zod'
      const twice = defineTool({
        name: 'twice', title: 'Twice', summary: 'Doubles.', scope: 'own:read', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false,
        perMinute: 60, uses: [], input: z.strictObject({ n: z.number() }), output: z.strictObject({ n: z.number() }), examples: [], touches: () => [],
        run: ({ n }) => ({ n: 2 * n }),
      })
      const app = testApp({ options: { tools: [twice] } })
      const outcome = await app.call('twice', { n: 21 })
      console.log(outcome.is, outcome.answer.value.n, app.rows.length)`)
    expect(consumer.run('node', ['own.mjs'])).toEqual({ code: 0, out: 'ok 42 1\n', err: '' })
  })

  test('of arrowhead/http gives the HTTP door', () => {
    consumer.write('http.mjs', `import * as http from 'arrowhead/http'; console.log(typeof http.createHttpDoor)`)
    expect(consumer.run('node', ['http.mjs'])).toEqual({ code: 0, out: 'function\n', err: '' })
  })

  test('of anything inside is refused', () => {
    consumer.write('inside.mjs', `import('arrowhead/dist/app/create-app.js').catch(({ code }) => console.log(code))`)
    expect(consumer.run('node', ['inside.mjs']).out).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n')
  })
})

test('its types compile in the strictest project, and are not any', () => {
  consumer.write('tsconfig.json', JSON.stringify({
    compilerOptions: {
      target: 'ES2023', module: 'NodeNext', moduleResolution: 'NodeNext', strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true,
      noPropertyAccessFromIndexSignature: true, verbatimModuleSyntax: true, noEmit: true, skipLibCheck: true, types: ['node'], typeRoots: [join(ROOT, 'node_modules', '@types')],
    },
    files: ['typed.ts'],
  }))
  consumer.write('typed.ts', `
    import { createArrowhead, defineTool, untrusted } from 'arrowhead'
    import type { Arrowhead, Outcome, Settings, Tool } from 'arrowhead'
    import { testApp } from 'arrowhead/testing'
    import type { TestApp } from 'arrowhead/testing'
    import { createHttpDoor } from 'arrowhead/http'
    import * as z from 'zod'

    const house: Arrowhead = createArrowhead({ port: 9000 })
    const said: Promise<Outcome> = house.outcome({ kind: 'tool', name: 'calculate', args: {} })
    const port: Settings['port'] = 8000
    const tool: Tool = defineTool({
      name: 'own', title: 'Own', summary: 'Reads.', scope: 'own:read', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, perMinute: 60,
      uses: ['files'], input: z.strictObject({ path: z.string() }), output: z.strictObject({ text: untrusted(z.string()) }), examples: [], touches: () => [],
      run: async ({ path }, { files }) => ({ text: await files.text(path) }),
    })
    defineTool({
      name: 'other', title: 'Other', summary: 'Reads.', scope: 'own:read', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, perMinute: 60,
      uses: [], input: z.strictObject({ path: z.string() }), output: z.strictObject({ text: untrusted(z.string()) }), examples: [], touches: () => [],
      // @ts-expect-error a service that is not in uses does not exist for the tool
      run: async ({ path }, { files }) => ({ text: await files.text(path) }),
    })
    const app: TestApp = testApp({ options: { tools: [tool] } })
    // @ts-expect-error a setting that does not exist
    createArrowhead({ no_such_setting: 1 })
    // @ts-expect-error a call needs a name
    void house.call()
    // @ts-expect-error a level that does not exist
    const level: Tool['level'] = 'FINE'
    export const all = [said, port, app, level, createHttpDoor] as const`)
  expect(consumer.run(process.execPath, [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.'])).toEqual({ code: 0, out: '', err: '' })
})
