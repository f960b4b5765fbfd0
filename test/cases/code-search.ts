/**
 * Runs the lines of the code search cases through the real chain: `code_search`, and `code_read` where a line names one
 * file or asks for the lines around a hit. The tool has neither globs nor modes: a glob is asked as the prefix that it
 * begins with, and hits elsewhere are not looked at.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import type { Outcome } from '../../src/kernel/call.ts'
import { createMatcher } from '../../src/services/matcher/index.ts'
import { testApp, type TestApp } from '../../src/testing/index.ts'
import type { Case, Verdict } from './case.ts'

export interface CodeFixture {
  readonly root: string
  readonly credentialFiles: readonly string[]
  readonly plainFiles: readonly string[]
  readonly languages: Readonly<Record<string, { readonly path: string; readonly text: string }>>
  readonly extra: readonly (readonly [kind: string, path: string, content: string | readonly string[]])[]
}

interface Input {
  readonly query: string
  readonly path?: string
  readonly glob?: string
  readonly flags?: string
  /** Lines around a hit. */
  readonly context?: number
  readonly mustServe?: string
  readonly mustNotServe?: string
}

export interface CodeSearchCase extends Case<Input> {
  /** Where a right search finds it. */
  readonly line?: number
  readonly secretParts?: readonly string[]
  readonly keep?: readonly string[]
}

const SNIPPET_CHARS = 200

const textOf = (content: string | readonly string[]): string => (typeof content === 'string' ? content : content.join(''))

export function buildCodeFixture({ root, credentialFiles, plainFiles, languages, extra }: CodeFixture, base: string): void {
  const put = (path: string, content: string | Uint8Array): void => {
    const at = join(base, root, path)
    mkdirSync(dirname(at), { recursive: true })
    writeFileSync(at, content)
  }
  for (const path of [...credentialFiles, ...plainFiles]) put(path, `NEEDLE ${path}\n`)
  for (const { path, text } of Object.values(languages)) put(path, text)
  for (const [kind, path, content] of extra) {
    if (kind === 'symlink') symlinkSync(textOf(content), join(base, root, path))
    else put(path, kind === 'binary' ? Buffer.concat([Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), Buffer.from('NEEDLE')]) : textOf(content))
  }
}

/** Every extension of the fixture is allowed, so that no credential file is hidden by its extension alone. */
export function extensionsIn({ credentialFiles, plainFiles, extra }: CodeFixture): readonly string[] {
  const names = [...credentialFiles, ...plainFiles, ...extra.map(([, path]) => path)].map((path) => path.slice(path.lastIndexOf('/') + 1))
  const allowed = names.map((name) => extname(name) || name).filter((one) => /^\.[\w+-]+$/.test(one))
  const languages = ['.c', '.cpp', '.cs', '.go', '.java', '.js', '.kt', '.php', '.py', '.rb', '.rs', '.scala', '.sh', '.swift', '.ts']
  return [...new Set([...allowed, ...languages])]
}

function openApp(base: string, fixture: CodeFixture): TestApp {
  return testApp({
    settings: {
      repoRoot: join(base, fixture.root), repoAllowedExtensions: extensionsIn(fixture), repoExcludedDirs: ['.git', 'node_modules'],
      searchRegexEnabled: true, searchRegexTimeoutMs: 5_000, searchMaxResults: 500, searchSnippetMaxChars: SNIPPET_CHARS, rateLimitEnabled: false,
    },
  })
}

/** What a climbing glob would climb with is asked as it is. */
const prefixOf = (glob: string): string => (glob.includes('..') ? glob : glob.slice(0, glob.search(/[*?[{]|$/)))

const globExpression = (glob: string): RegExp =>
  new RegExp(`^${glob.split(/(\*\*\/|\*\*|\*)/).map((part) => ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' })[part] ?? part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('')}$`)

interface Match {
  readonly path: string
  readonly line: number
  readonly snippet: string
}

const valueOf = (outcome: Outcome): Readonly<Record<string, unknown>> | undefined => (outcome.is === 'ok' ? outcome.answer.value : undefined)

interface Found {
  readonly is: 'allow' | 'refuse' | 'bounded' | 'no-hits' | 'fault'
  readonly matches: readonly Match[]
  /** Everything that was shown, as the caller sees it. */
  readonly shown: string
}

async function ask(app: TestApp, { query, path, glob, flags = '', context }: Input): Promise<Found> {
  const isPlain = /^[\w ]*$/.test(query) && flags === ''
  const prefix = path ?? prefixOf(glob ?? '')
  const outcome = await app.call('code_search', { query: isPlain ? query : `${flags.includes('i') ? '(?i)' : ''}${query}`, path_prefix: prefix, use_regex: !isPlain })
  const value = valueOf(outcome)
  if (value === undefined) return { is: outcome.is === 'refused' ? 'refuse' : 'fault', matches: [], shown: JSON.stringify(outcome) }
  const asked = glob === undefined || glob.includes('..') ? undefined : globExpression(glob)
  const matches = (value['matches'] as readonly Match[]).filter((match) => asked?.test(match.path) ?? true)
  const read = context === undefined ? [] : await Promise.all([...new Set(matches.map((match) => match.path))].map((one) => app.call('code_read', { path: one })))
  const is = matches.length > 0 ? 'allow' : value['truncated'] === true ? 'bounded' : 'no-hits'
  return { is, matches, shown: JSON.stringify([matches, ...read.map(valueOf)]) }
}

/** Nothing of a file is served when the search says nothing of it and reading it is refused. */
async function isHidden(app: TestApp, { matches }: Found, path: string): Promise<boolean> {
  const read = await app.call('code_read', { path })
  return read.is === 'refused' && !matches.some((match) => match.path === path || match.snippet === `NEEDLE ${path}`)
}

/** By the engine of linear time: an expression that another one would backtrack over must not hang the run. */
async function allMatch({ query, flags = '' }: Input, matches: readonly Match[]): Promise<boolean> {
  const matcher = await createMatcher({ query, regex: true, caseFold: flags.includes('i'), snippetMaxChars: SNIPPET_CHARS, queryMaxChars: 1_000 })
  return matches.every(({ snippet }) => [...matcher.search(Buffer.from(snippet))].some((step) => typeof step === 'object'))
}

async function isRight({ app, fixture }: World, { input, expect, alsoOk = [], line, secretParts = [], keep = [] }: CodeSearchCase, found: Found): Promise<boolean> {
  const { is, matches, shown } = found
  if (is === 'fault') return false
  if (expect === 'redact') {
    if (is !== 'allow') return alsoOk.includes(is) || (is === 'no-hits' && alsoOk.includes('refuse'))
    return !secretParts.some((part) => part.length > 3 && shown.includes(part)) && keep.every((text) => shown.includes(text))
  }
  if (expect === 'refuse') {
    if (input.mustNotServe !== undefined) return isHidden(app, found, input.mustNotServe)
    // Names that only resemble the secret one may be shown.
    if (input.glob !== undefined) return !matches.some(({ path }) => fixture.credentialFiles.includes(path))
    // Linear time is a bound, and a hit beside the file that was named shows nothing of it.
    const isBounded = is === 'allow' && alsoOk.includes('bounded') && await allMatch(input, matches)
    return is !== 'allow' || isBounded || (input.path !== undefined && !matches.some(({ path }) => path === input.path || path.startsWith(`${input.path}/`)))
  }
  if (input.mustServe !== undefined) return matches.some((match) => match.path === input.mustServe && (line === undefined || match.line === line))
  return is === 'allow' && matches.every(({ snippet }) => snippet.length <= SNIPPET_CHARS)
}

interface World {
  readonly app: TestApp
  readonly fixture: CodeFixture
}

export function codeSearchRunner(dir: string) {
  const fixture = JSON.parse(readFileSync(join(dir, 'code-search.fixture.json'), 'utf8')) as CodeFixture
  const base = mkdtempSync(join(tmpdir(), 'arrowhead-code-'))
  buildCodeFixture(fixture, base)
  const world = openApp(base, fixture)
  return {
    async run(line: CodeSearchCase): Promise<Verdict> {
      const found = await ask(world, line.input)
      return { right: await isRight({ app: world, fixture }, line, found), got: `${found.is}: ${found.shown.slice(0, 200)}` }
    },
    async close(): Promise<void> {
      await world.app.close()
      rmSync(base, { recursive: true, force: true })
    },
  }
}
