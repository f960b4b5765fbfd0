/**
 * Runs case files against the product: `npm run cases -- [--dir DIR] [--area a,b]`. Prints `area right/total`
 * and the ids that failed. Exits 1 on any failure of a core line, and for an area that was asked for and
 * has no runner.
 */

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { calcRunner } from './calc.ts'
import type { Case, Verdict } from './case.ts'
import { runAuditCase } from './audit.ts'
import type { AuditCase } from './audit.ts'
import { runConfirmCase } from './confirm.ts'
import type { ConfirmCase } from './confirm.ts'
import { commandRunner, runCommandRunner } from './command.ts'
import { pathPolicyRunner } from './pathpolicy.ts'
import { execRunners } from './exec.ts'
import { codeSearchRunner } from './code-search.ts'
import { isAboutOutput, runInjectionCase } from './injection.ts'
import type { InjectionCase } from './injection.ts'
import { runIntegrityCase } from './integrity.ts'
import type { IntegrityCase } from './integrity.ts'
import { runJsonCase } from './json.ts'
import type { JsonCase } from './json.ts'
import { jwtRunner } from './jwt.ts'
import { runMarkdownCase } from './markdown.ts'
import type { MarkdownCase } from './markdown.ts'
import { mcpProtocolRunner } from './mcp-protocol.ts'
import { buildPathFixture, runPathCase } from './path.ts'
import type { PathCase } from './path.ts'
import { runPiiCase } from './pii.ts'
import type { PiiCase } from './pii.ts'
import { runRedosCase } from './redos.ts'
import type { RedosCase } from './redos.ts'
import { runSecretCase } from './secrets.ts'
import type { SecretCase } from './secrets.ts'
import { sqlRunner } from './sql.ts'
import { runSsrfCase } from './ssrf.ts'
import type { SsrfCase } from './ssrf.ts'
import { runTextCase } from './text.ts'
import type { TextCase } from './text.ts'
import { runWebhookCase } from './webhook.ts'
import type { WebhookCase } from './webhook.ts'
import { workspaceCodeSearchRunner } from './workspace-code-search.ts'
import { workspacePathRunner } from './workspace-paths.ts'
import { workspaceProtocolRunner } from './workspace-protocol.ts'

type Line = Case<unknown>
type Run = (line: Line) => Promise<Verdict>
interface Area {
  readonly run: Run
  /** Whether a line is about something that is there. @default every line is */
  applies?(line: Line): boolean
  close?(): void | Promise<void>
}

const AREAS: Readonly<Record<string, (dir: string) => Area | Promise<Area>>> = {
  audit: () => ({ run: (line) => runAuditCase(line as AuditCase) }),
  confirm: () => ({ run: (line) => runConfirmCase(line as ConfirmCase) }),
  command: (dir) => commandRunner(dir) as Area,
  'run-command': () => runCommandRunner() as Area,
  pathpolicy: (dir) => pathPolicyRunner(dir) as Area,
  calc: () => ({ run: calcRunner() as Run }),
  exec: () => execRunners() as Area,
  'code-search': (dir) => codeSearchRunner(dir) as Area,
  injection: () => ({ run: (line) => runInjectionCase(line as InjectionCase), applies: (line) => isAboutOutput(line as InjectionCase) }),
  integrity: () => ({ run: (line) => runIntegrityCase(line as IntegrityCase) }),
  jwt: (dir) => jwtRunner(dir) as Area | Promise<Area>,
  'mcp-protocol': () => mcpProtocolRunner() as Area | Promise<Area>,
  json: () => ({ run: (line) => runJsonCase(line as JsonCase) }),
  markdown: () => ({ run: (line) => runMarkdownCase(line as MarkdownCase) }),
  path: pathArea,
  pii: () => ({ run: (line) => runPiiCase(line as PiiCase) }),
  redos: () => ({ run: (line) => runRedosCase(line as RedosCase) }),
  secrets: () => ({ run: (line) => runSecretCase(line as SecretCase) }),
  sql: () => sqlRunner() as Promise<Area>,
  ssrf: () => ({ run: (line) => runSsrfCase(line as SsrfCase) }),
  text: () => ({ run: (line) => runTextCase(line as TextCase) }),
  // The same lines over another door.
  'code-search@workspace': (dir) => workspaceCodeSearchRunner(dir) as Promise<Area>,
  'mcp-protocol@workspace': () => workspaceProtocolRunner() as Area,
  'pathpolicy@workspace': (dir) => workspacePathRunner(dir) as Promise<Area>,
  webhook: () => ({ run: (line) => runWebhookCase(line as WebhookCase) }),
}

function pathArea(dir: string): Area {
  const base = mkdtempSync(join(tmpdir(), 'arrowhead-cases-'))
  const root = buildPathFixture(JSON.parse(readFileSync(join(dir, 'path.fixture.json'), 'utf8')), base)
  return { run: (line) => runPathCase(line as PathCase, root), close: () => rmSync(base, { recursive: true, force: true }) }
}

const LINE_TIMEOUT_MS = 60_000

/** A line that hangs is a line that fails; the rest still runs. */
const guarded = (run: Run): Run => async (line) => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Verdict>((done) => {
    timer = setTimeout(() => done({ right: false, got: 'no answer within a minute' }), LINE_TIMEOUT_MS)
  })
  try {
    return await Promise.race([run(line), late])
  } catch (error) {
    return { right: false, got: `the runner threw: ${String(error).slice(0, 100)}` }
  } finally {
    clearTimeout(timer)
  }
}

const fileOf = (area: string): string => area.split('@')[0] ?? area

/** @returns whether every core line was right. */
async function runArea(dir: string, area: string, open: (dir: string) => Area | Promise<Area>): Promise<boolean> {
  const all = readFileSync(join(dir, `${fileOf(area)}.jsonl`), 'utf8').split('\n').filter(Boolean).map((text) => JSON.parse(text) as Line)
  const { run, close, applies = () => true } = await open(dir)
  const lines = all.filter(applies)
  const failed: { readonly line: Line; readonly got: string }[] = []
  for (const line of lines) {
    const { right, got } = await guarded(run)(line)
    if (!right) failed.push({ line, got })
  }
  await close?.()
  console.log(`${area} ${lines.length - failed.length}/${lines.length}`)
  for (const { line, got } of failed) console.log(`  ${line.id}${line.tier === 'quality' ? ' (quality)' : ''}: ${line.expect} expected, got ${got}`)
  return failed.every(({ line }) => line.tier === 'quality')
}

const USAGE = 'npm run cases [-- --area NAME,NAME --dir FOLDER]'

function optionsOf(args: readonly string[]): { readonly dir: string; readonly area?: string | undefined } | undefined {
  try {
    return parseArgs({ args: [...args], options: { dir: { type: 'string', default: '../shared/cases' }, area: { type: 'string' } } }).values
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`)
    return undefined
  }
}

async function main(): Promise<number> {
  const values = optionsOf(process.argv.slice(2))
  if (values === undefined) return 2
  const dir = resolve(values.dir)
  if (!existsSync(dir)) {
    console.error(`no case files: ${values.dir} does not exist`)
    return 1
  }
  const present = readdirSync(dir).filter((name) => name.endsWith('.jsonl')).map((name) => name.slice(0, -'.jsonl'.length))
  const asked = values.area?.split(',').map((area) => area.trim())
  let good = true
  for (const area of asked ?? [...new Set([...present, ...Object.keys(AREAS).filter((one) => present.includes(fileOf(one)))])]) {
    const open = Object.hasOwn(AREAS, area) ? AREAS[area] : undefined
    if (!present.includes(fileOf(area))) {
      console.log(`${area}: no such file`)
      good = false
    } else if (open) good = (await runArea(dir, area, open)) && good
    else {
      console.log(`${area}: no runner`)
      good = good && asked === undefined
    }
  }
  return good ? 0 : 1
}

process.exit(await main())
