/**
 * Runs the code search cases over the workspace server's `search_code`. It has words where other searches have
 * expressions, addresses where they have lines, and no context: a line about those is asked in words, and right when
 * nothing is shown that must not be.
 */

import { mkdirSync, readFileSync, realpathSync, rmSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorkspaceApp, findGround } from '../../src/app/workspace-start.ts'
import type { App } from '../../src/app/create-app.ts'
import { systemClock } from '../../src/exits/clock.ts'
import { loadSettings } from '../../src/config/index.ts'
import type { Outcome } from '../../src/kernel/call.ts'
import { buildCodeFixture, extensionsIn } from './code-search.ts'
import type { CodeFixture, CodeSearchCase } from './code-search.ts'
import type { Verdict } from './case.ts'

interface Found {
  readonly is: 'allow' | 'refuse' | 'no-hits' | 'fault'
  readonly lines: readonly string[]
  readonly text: string
}

/** An expression as the words in it. */
const wordsOf = (query: string): string => query.replace(/\\b/g, '').replace(/[?+*$\\.]/g, (sign) => (sign === '.' ? 'n' : ''))

function foundIn(outcome: Outcome): Found {
  if (outcome.is !== 'ok') return { is: outcome.is === 'refused' ? 'refuse' : 'fault', lines: [], text: JSON.stringify(outcome) }
  const text = outcome.answer.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
  const lines = text.split('\n').filter((line) => !line.startsWith('<<') && line !== 'no matches')
  return { is: lines.length > 0 ? 'allow' : 'no-hits', lines, text }
}

const shows = (lines: readonly string[], path: string): boolean => lines.some((line) => line.startsWith(`${path}:`))

async function ask(app: App, args: object): Promise<Found> {
  return foundIn(await app.dispatch({ kind: 'tool', name: 'search_code', args: { limit: 50, detail: 'snippets', ...args } }, app.local, { door: 'stdio' }))
}

async function judged(app: App, { input, expect, alsoOk = [], line, secretParts = [] }: CodeSearchCase, fixture: CodeFixture): Promise<Verdict> {
  const { mustServe, mustNotServe } = input
  const path = input.path ?? (input.glob?.includes('..') ? input.glob : mustServe ?? mustNotServe)
  const found = await ask(app, { query: wordsOf(input.query), ...(path !== undefined && { path }) })
  const whole = await ask(app, { query: wordsOf(input.query) || 'NEEDLE' })
  const got = `${found.is}: ${found.lines.join(' | ').slice(0, 160)}`
  if (found.is === 'fault') return { right: false, got }
  const leaks = [...found.lines, ...whole.lines].some((shown) => secretParts.some((part) => part.length > 3 && shown.includes(part)) || fixture.credentialFiles.some((file) => shown.startsWith(`${file}:`)))
  if (leaks) return { right: false, got: `a credential file or a secret: ${got}` }
  // There are no globs: nothing was shown of what one would lead to.
  if (expect === 'refuse' && input.glob !== undefined && !input.glob.includes('..')) return { right: true, got }
  if (mustNotServe !== undefined) return { right: found.is !== 'allow', got }
  if (mustServe !== undefined) return { right: shows(found.lines, mustServe) && (line === undefined || found.lines.some((one) => one.startsWith(`${mustServe}:${line} `))), got }
  if (expect === 'redact') return { right: found.is === 'allow' || alsoOk.includes('refuse'), got }
  if (expect === 'refuse') return { right: found.is !== 'allow' || alsoOk.length > 0, got }
  return { right: found.is === 'allow', got }
}

export async function workspaceCodeSearchRunner(dir: string) {
  const fixture = JSON.parse(readFileSync(join(dir, 'code-search.fixture.json'), 'utf8')) as CodeFixture
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'arrowhead-workspace-code-')))
  const [cwd, dataDir] = [join(base, fixture.root), join(base, 'data')]
  mkdirSync(cwd)
  buildCodeFixture(fixture, base)
  const { ground } = findGround(cwd, [dataDir])
  const { values } = loadSettings({ file: JSON.stringify({ repoAllowedExtensions: extensionsIn(fixture), repoExcludedDirs: ['.git', 'node_modules'], rateLimitEnabled: false }) })
  const app = createWorkspaceApp(values, { dataDir, cwd, ground, rules: [], replace: { clock: systemClock, trail: null } })
  return {
    run: (line: CodeSearchCase): Promise<Verdict> => judged(app, line, fixture),
    async close(): Promise<void> {
      await app.close()
      rmSync(base, { recursive: true, force: true })
    },
  }
}
