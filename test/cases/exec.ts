/**
 * Runs the lines about running code, each in every runner that this machine can have, and judges by effects: what
 * was printed, what is left on the disk and among the processes, and whether this process still answers.
 */

import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createArrowhead, Refusal } from '../../src/index.ts'
import type { Arrowhead } from '../../src/index.ts'
import type { Case, Verdict } from './case.ts'

export type ExecCase = Case<Readonly<Record<string, unknown>> & { readonly code: string; readonly env?: Readonly<Record<string, string>> }> & {
  readonly stdout?: string
  readonly budgetMs?: number
}

interface Runner {
  readonly name: string
  readonly arrowhead: Arrowhead
}

/** Only wall time is short here, so that a line without an end is over within its own budget. */
const SETTINGS = { execEnabled: true, rateLimitEnabled: false, execWallSeconds: 10, execCpuSeconds: 8, execMemoryBytes: 256_000_000 }
const PROCESS_RUNNERS = ['subprocess', 'sandbox'] as const

export function execRunners(): { run(line: ExecCase): Promise<Verdict>; close(): Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-cases-exec-'))
  chmodSync(folder, 0o755)
  const runners = PROCESS_RUNNERS.flatMap((name) => opened(name, folder))
  console.log(`exec: in ${runners.map(({ name }) => name).join(' and ')}`)
  return {
    async run(line) {
      const judged = runners.filter(({ name }) => isPromised(line, name))
      for (const { name } of runners) if (!isPromised(line, name)) console.log(`exec: ${line.id} is not judged in ${name}, which promises nothing about it`)
      for (const runner of judged) {
        const verdict = await runIn(runner, line, folder)
        if (!verdict.right) return { right: false, got: `${runner.name}: ${verdict.got}` }
      }
      return { right: judged.length > 0, got: `right in ${judged.length} runners` }
    },
    async close() {
      for (const { arrowhead } of runners) await arrowhead.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** `subprocess` keeps code neither from the network nor from reading what its user may read (docs/explain/runners.md). */
const isPromised = ({ kind = '', input: { code } }: ExecCase, runner: string): boolean =>
  runner !== 'subprocess' || !(kind.includes('network') || (kind === 'escape-files' && !WRITES.test(code)))
const WRITES = /open\([^)]*,\s*["'](?:[wax]|r\+)|write|truncate|unlink|remove|rename/

/** One that cannot be had refuses to start, and is left out. */
function opened(name: string, folder: string): readonly Runner[] {
  try {
    const log = (): boolean => true
    return [{ name, arrowhead: createArrowhead({ ...SETTINGS, execRunner: name, execWorkdir: join(folder, 'scratch') }, { replace: { trail: null }, log }) }]
  } catch (error) {
    console.log(`exec: not in ${name}: ${String(error).replaceAll('\n', ' ').slice(0, 200)}`)
    return []
  }
}

interface Outcome {
  readonly is: 'refused' | 'fault' | 'ran'
  readonly answer: Readonly<Record<string, unknown>>
}

async function runIn({ arrowhead }: Runner, line: ExecCase, folder: string): Promise<Verdict> {
  // `env` is what the server has, unless the line is about an option that a caller might try.
  const { env, ...rest } = line.input
  const isServerEnv = line.kind !== 'caller-option' && env !== undefined
  if (isServerEnv) Object.assign(process.env, env)
  const before = processes()
  const startedAt = performance.now()
  const { is, answer } = await call(arrowhead, isServerEnv || env === undefined ? rest : line.input)
  const ms = performance.now() - startedAt
  if (isServerEnv) for (const name of Object.keys(env ?? {})) delete process.env[name]

  const shown = `${is} ${JSON.stringify(answer).slice(0, 200)}`
  const harm = await harmOf(answer, { env, folder, before })
  if (harm !== undefined) return { right: false, got: `${harm}: ${shown}` }
  if (line.budgetMs !== undefined && ms > line.budgetMs) return { right: false, got: `${Math.round(ms)} ms: ${shown}` }
  if (line.expect === 'allow') return { right: is === 'ran' && textOf(answer['stdout']) === line.stdout, got: shown }
  if (line.kind === 'caller-option') return { right: is === 'refused', got: shown }
  return { right: is !== 'fault' && isContained(line, answer), got: shown }
}

async function call(arrowhead: Arrowhead, args: object): Promise<Outcome> {
  try {
    return { is: 'ran', answer: await arrowhead.asLocal().call('run_snippet', args) }
  } catch (error) {
    return { is: error instanceof Refusal ? 'refused' : 'fault', answer: { error: String(error) } }
  }
}

/** Without the fence. */
const textOf = (leaf: unknown): string => /^<<data [^\n]*>>\n([\s\S]*)\n<<end [^\n]*>>$/.exec(String(leaf))?.[1] ?? ''

/** Whether a program without end, or one that takes too much, was ended or failed. One that only looks or leaves something is judged by `harmOf`. */
function isContained({ kind }: ExecCase, { exit_code: code, timed_out: late, truncated }: Outcome['answer']): boolean {
  const bounded = kind === 'time-memory' || kind === 'output-size' || kind === 'escape-files'
  return !bounded || code !== 0 || late === true || truncated === true
}

interface Around {
  readonly env: ExecCase['input']['env']
  readonly folder: string
  readonly before: ReadonlySet<string>
}

async function harmOf(answer: Outcome['answer'], { env, folder, before }: Around): Promise<string | undefined> {
  const said = JSON.stringify(answer)
  if (Object.values(env ?? {}).some((value) => said.includes(value))) return 'the environment of the server came out'
  if (said.includes('root:x:0')) return 'a file outside came out'
  const left = readdirSync(folder).filter((name) => name !== 'scratch').concat(readdirSync(tmpdir()).filter((name) => name === 'escape'))
  if (left.length > 0) return `left on the disk: ${left.join()}`
  if (readdirSync(folder).includes('scratch') && readdirSync(join(folder, 'scratch')).length > 0) return 'a scratch folder is left'
  const alive = [...processes()].filter((one) => !before.has(one))
  return alive.length > 0 ? `still running: ${alive.join()}` : undefined
}

/** Python programs and sleepers, which is what the lines start; by number and start, as numbers come again. */
function processes(): ReadonlySet<string> {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((pid) => {
    try {
      const [args, stat] = [readFileSync(`/proc/${pid}/cmdline`, 'utf8'), readFileSync(`/proc/${pid}/stat`, 'utf8')]
      return /snippet\.(?:py|js)|^sleep\u{0}100000/u.test(args) ? `${pid}@${stat.replace(/^.*\) /s, '').split(' ')[19]}` : ''
    } catch {
      return ''
    }
  })
  return new Set(all.filter(Boolean))
}
