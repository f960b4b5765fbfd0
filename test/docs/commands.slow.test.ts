/**
 * What the README and the documents print works: shell blocks are run, or their words are checked against the program
 * that they start; scripts are run, configuration is parsed. What is not run is listed here with its reason.
 */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse as parseJsonc } from 'jsonc-parser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProgram } from '../../src/doors/cli/program.ts'
import { loadSettings, SETTINGS } from '../../src/config/index.ts'
import { builtBinary, ROOT } from '../process/built-binary.ts'
import { commandsOf, type Fence, fences } from './fences.ts'

/** Not run, and why. The words of those that start `arrowhead` are checked all the same. */
const NOT_RUN: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^npm (?:ci|start|test|run|pack)\b|^npm ci && npm test$/, 'run by the tests of the package and by .ci/run; here only looked up in package.json'],
  [/arrowhead(?:\.js)? (?:serve|quickstart|api|ask|chat|mcp-serve|logs --follow|overlay|checkpoint)\b/, 'serves until it is stopped, or needs a model or a run of one: the tests of each command start it'],
  [/^claude mcp add\b/, 'the client is not a package that a test may install'],
  [/^ollama /, 'the program of a model, which this project does not bring'],
  [/^arrowhead undo(?! --list)/, 'nothing was changed here: test/process/desk undoes'],
  [/^docker /, 'no engine here: the image is replayed in test/deploy'],
  [/https:\/\/mcp\.example|https:\/\/auth\.example/, 'an address that is yours to have'],
  [/^(?:psql|pg_dump|pg_restore|journalctl|openssl|mv)\b|^psql|ADMIN_DSN|NEW_DSN/, 'a server of yours'],
  [/^TOKEN=|\$TOKEN|^curl |disabled\.new|revoked\.new/, 'against the server that the block before it starts'],
  [/\/backups\/|SEQ:HASH/, 'a place and a head of yours: test/process/backup runs both commands'],
  [/^node scripts\/(?:loadtest)/, 'test/deploy/loadtest runs it'],
  [/^(?:export )?ARROWHEAD_/, 'settings: loaded below'],
]

const all = fences()
const named = (language: string): readonly Fence[] => all.filter((fence) => fence.language === language)
const at = ({ file, line }: Fence): string => `${file}:${line}`

let place: string
let binary: string
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'arrowhead-docs-'))
  binary = await builtBinary()
  mkdirSync(join(place, 'bin'))
  for (const name of ['docs', 'sandbox']) cpSync(join(ROOT, name), join(place, name), { recursive: true })
  writeFileSync(join(place, 'bin/arrowhead'), `#!/bin/sh\nexec '${process.execPath}' '${binary}' "$@"\n`, { mode: 0o755 })
  writeFileSync(join(place, 'bin/npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 })
  // A package of another name: `arrowhead` must be the one that is installed.
  writeFileSync(join(place, 'package.json'), '{"name": "reader"}')
  mkdirSync(join(place, 'node_modules'))
  symlinkSync(ROOT, join(place, 'node_modules/arrowhead'))
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

const env = (): Readonly<Record<string, string>> => ({ PATH: `${join(place, 'bin')}:${process.env['PATH'] ?? ''}`, HOME: place, ARROWHEAD_DATA_DIR: join(place, 'data') })

describe('a command of the documents', () => {
  const commands = named('bash').flatMap((fence) => commandsOf(fence).map((command) => [at(fence), command] as const))
  const reasonOf = (command: string): string | undefined => NOT_RUN.find(([pattern]) => pattern.test(command))?.[1]

  test.each(commands.filter(([, command]) => reasonOf(command) === undefined))('%s: %s', (_, command) => {
    const { status, stderr } = spawnSync('bash', ['-c', command.replaceAll(/(?<=^|&& )node \/path\/to\/arrowhead\/dist\/bin\/arrowhead\.js/g, 'arrowhead')], { cwd: place, env: env(), encoding: 'utf8' })
    expect({ command, status, stderr: status === 0 ? '' : stderr }).toEqual({ command, status: 0, stderr: '' })
  })

  test('has words that the program knows', () => {
    const terminal = { stdout: { write: () => true }, stderr: { write: () => true } } as never
    for (const [where, command] of commands) {
      for (const [, words = ''] of command.matchAll(/(?:^|npx |&& |exec )arrowhead((?: [a-z][a-z-]*| --?[a-z-]+)*)/g)) {
        let at = createProgram(terminal, ['add'], () => {})
        for (const word of words.trim().split(' ').filter((one) => one !== '' && !one.startsWith('-'))) at = at.commands.find((one) => one.name() === word) ?? at
        const known = new Set([...at.options.flatMap(({ long }) => long ?? []), ...SETTINGS.map(({ flag }) => flag), '--version', '--help', '--config'])
        const first = words.trim().split(' ')[0] ?? ''
        expect.soft(at.name() !== 'arrowhead' || first === '' || first.startsWith('-'), `${where}: arrowhead ${words}`).toBe(true)
        for (const flag of words.trim().split(' ').filter((one) => one.startsWith('--'))) expect.soft(known, `${where}: ${flag}`).toContain(flag)
      }
    }
  })

  test('that npm runs is a script of the package', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly scripts: Readonly<Record<string, string>> }
    for (const [where, command] of commands) for (const [, name = ''] of command.matchAll(/npm run ([a-z][a-z:-]*)/g)) expect(Object.keys(scripts), where).toContain(name)
  })

  test('that runs a file runs one that is there', () => {
    for (const [where, command] of commands) for (const [, file = ''] of command.matchAll(/node ((?:scripts|examples)\/\S+)/g)) expect(existsSync(join(ROOT, file)), `${where}: ${file}`).toBe(true)
  })

  test('is left out for a reason that still has a command', () => {
    for (const [pattern, why] of NOT_RUN) expect(commands.some(([, command]) => pattern.test(command)), why).toBe(true)
  })
})

describe('settings of the documents', () => {
  const blocks = named('bash').map((fence) => [at(fence), [...fence.text.matchAll(/^(?:export )?(ARROWHEAD_[A-Z0-9_]+)=(.*)$/gm)]] as const).filter(([, found]) => found.length > 0)

  test.each(blocks)('%s are known', (_, found) => {
    const known: ReadonlySet<string> = new Set(SETTINGS.map((one) => one.env))
    for (const [, name = ''] of found) expect(known).toContain(name)
  })

  test('named in the text are known', () => {
    const known: ReadonlySet<string> = new Set([...SETTINGS.map((one) => one.env), 'ARROWHEAD_HOME', 'ARROWHEAD_CONFIG'])
    for (const file of new Set(all.map((fence) => fence.file))) {
      for (const [name] of readFileSync(join(ROOT, file), 'utf8').matchAll(/\bARROWHEAD_[A-Z0-9_]*[A-Z0-9]\b(?!…|_)/g)) expect.soft(known, `${file}: ${name}`).toContain(name)
    }
  })

  test('that stand alone in JSON load', () => {
    expect(loadSettings({ file: '{"port": 9000}' }).values.port).toBe(9000)
  })
})

describe('a script of the documents', () => {
  test.each(named('js').map((fence) => [at(fence), fence] as const))('%s runs', (_, { text }) => {
    if (!existsSync(join(ROOT, 'dist/index.js'))) throw new Error('the scripts use the built package: run `npm run build` first')
    spawnSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', join(place, 'issuer-key.pem')])
    writeFileSync(join(place, 'script.mjs'), text)
    const { status, stderr } = spawnSync(process.execPath, ['script.mjs'], { cwd: place, env: env(), encoding: 'utf8' })
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })
  })
})

describe('configuration in the documents', () => {
  test.each(named('json').map((fence) => [at(fence), fence] as const))('%s is JSON', (_, { text }) => {
    const errors: never[] = []
    expect(typeof parseJsonc(text, errors)).toBe('object')
    expect(errors).toEqual([])
  })
})

test('every fence says what it holds, and each kind is looked at', () => {
  // Without a name: pictures made of letters, and files of which the text says what they are.
  expect([...new Set(all.map(({ language }) => language))].sort()).toEqual(['', 'bash', 'js', 'json'])
})
