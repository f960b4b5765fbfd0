/** A person's machine in a folder of its own: a home with things to lose, and an app that serves the assistant's tools over it. */

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, lstatSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { Arrival, Outcome } from '../../kernel/call.ts'
import { testApp } from '../../testing/index.ts'
import type { TestApp } from '../../testing/index.ts'

const HOME: Readonly<Record<string, string>> = {
  'notes/todo.md': 'buy milk\ncall the bank\n', 'notes/idea.md': '# Idea\n', 'project/src/main.ts': 'const greeting = "hello"\n', 'project/README.md': 'A project\n',
  '.ssh/id_ed25519': 'PRIVATE', '.aws/credentials': 'PRIVATE', 'project/.env': 'TOKEN=PRIVATE', '.bashrc': 'alias ll="ls -l"\n', '.password-store/bank.gpg': 'PRIVATE',
}
const YES = { arrowhead_consent: { action: 'accept', content: { approve: true } } }

export interface Machine {
  readonly home: string
  /** Beside the home: whatever it holds must stay. */
  readonly outside: string
  readonly app: TestApp
  /** What people were asked so far. */
  readonly asked: string[]
  /** As a person who agrees to everything, who refuses everything, or who is not there. */
  call(name: string, args: object, person?: 'agrees' | 'refuses' | 'absent', more?: Partial<Arrival>): Promise<Outcome>
  text(path: string): string | undefined
  put(path: string, text: string, mode?: number): string
  link(path: string, target: string): void
  /** Every place below the folder of home and outside, with what it is: for comparing before and after. */
  picture(): Readonly<Record<string, string>>
  close(): Promise<void>
}

export function openMachine(security: object = {}, settings: object = {}): Machine {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'arrowhead-machine-')))
  const [home, outside] = [join(base, 'home'), join(base, 'outside')]
  mkdirSync(outside, { recursive: true })
  writeFileSync(join(outside, 'secret.txt'), 'PRIVATE outside')
  const put = (path: string, text: string, mode?: number): string => {
    const at = join(home, path)
    mkdirSync(dirname(at), { recursive: true })
    writeFileSync(at, text)
    if (mode !== undefined) chmodSync(at, mode)
    return at
  }
  for (const [path, text] of Object.entries(HOME)) put(path, text)
  const app = testApp({ settings: { profile: 'assistant', rateLimitEnabled: false, security, ...settings }, options: { home, cwd: home, dataDir: join(base, 'data') } })
  const asked: string[] = []
  return {
    home, outside, app, asked, put,
    async call(name, args, person = 'agrees', more = {}) {
      const ask: Arrival['ask'] = async (questions) => {
        asked.push(JSON.stringify(questions))
        return person === 'agrees' ? YES : { arrowhead_consent: { action: 'decline' } }
      }
      const arrival: Arrival = { door: 'cli', ...(person !== 'absent' && { capabilities: { elicitation: { form: {} } }, ask }), ...more }
      return app.app.dispatch({ kind: 'tool', name, args }, app.me, arrival)
    },
    text: (path) => (existsSync(join(home, path)) ? readFileSync(join(home, path), 'utf8') : undefined),
    link: (path, target) => symlinkSync(target, join(home, path)),
    picture: () => pictureOf(base),
    async close() {
      await app.app.close()
      rmSync(base, { recursive: true, force: true })
    },
  }
}

/** Walks by itself: newer lines of Node.js follow links when they read folders recursively. */
function pictureOf(base: string, folder = base, found: Record<string, string> = {}): Readonly<Record<string, string>> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const at = join(folder, entry.name)
    const path = relative(base, at)
    if (path.startsWith('data')) continue
    const bits = (lstatSync(at).mode & 0o777).toString(8)
    if (entry.isSymbolicLink()) found[path] = `link to ${readlinkSync(at)}`
    else if (entry.isDirectory()) found[path] = `folder ${bits}`
    else if (entry.isFile()) found[path] = `file ${bits} ${readFileSync(at, 'utf8')}`
    else found[path] = 'other'
    if (entry.isDirectory()) pictureOf(base, at, found)
  }
  return found
}

export const codeOf = (outcome: Outcome): string => (outcome.is === 'refused' ? outcome.refusal.code : outcome.is)
export const valueOf = (outcome: Outcome): Readonly<Record<string, unknown>> => (outcome.is === 'ok' ? outcome.answer.value : { code: codeOf(outcome) })
