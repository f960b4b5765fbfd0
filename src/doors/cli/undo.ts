/** `undo`: takes back what one request of the assistant changed among files, and says what it could not take back. */

import { auditReader } from '../../app/audit-reader.ts'
import type { AuditRow } from '../../kernel/audit.ts'
import type { App } from '../../app/create-app.ts'
import { listRuns, takeBack } from '../../app/undo-report.ts'
import type { ListedRun, UndoReport } from '../../app/undo-report.ts'
import { Refusal, refusalText } from '../../kernel/refusal.ts'
import { withDesk } from './assistant-desk.ts'
import type { Loaded } from './load.ts'
import { attempt, printable } from './logs.ts'
import { EXIT, print, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

type Options = Readonly<Record<string, unknown>>

/** Rows of the trail in which words and effects of a run are looked for. */
const MAX_ROWS = 5_000

export function undo(terminal: Terminal, options: Options, [run]: readonly string[]): Promise<number> {
  return withDesk(terminal, options, async ({ app, loaded }) => {
    const isJson = options['json'] === true
    if (options['list'] === true) {
      const runs = await listRuns(app, rowsOf(loaded))
      if (isJson) print(terminal, JSON.stringify({ runs }))
      else print(terminal, runs.length === 0 ? 'nothing that was changed can be taken back' : runs.map(runText).join('\n'))
      return EXIT.ok
    }
    const report = await attemptUndo(app, loaded, run)
    if (typeof report === 'string') {
      if (isJson) print(terminal, JSON.stringify({ error: report.split(':')[0], message: report }))
      else say(terminal, `arrowhead: ${report}`)
      return EXIT.refused
    }
    print(terminal, isJson ? JSON.stringify(report) : reportText(report))
    return report.changes.every(({ state }) => state === 'restored') ? EXIT.ok : EXIT.refused
  })
}

/** The report, or the sentence that says why there is none. */
export async function attemptUndo(app: App, loaded: Loaded, run?: string): Promise<UndoReport | string> {
  try {
    return await takeBack(app, rowsOf(loaded), run)
  } catch (error) {
    return error instanceof Refusal ? refusalText(error) : 'undo.failed: what was kept of the files cannot be read or put back'
  }
}

/** A trail that cannot be read says nothing, and files are taken back all the same. */
function rowsOf({ values, dataDir }: Loaded): readonly AuditRow[] {
  const rows = attempt(() => auditReader(values, dataDir).newest(MAX_ROWS).map(({ row }) => row))
  return typeof rows === 'string' ? [] : rows
}

const runText = ({ run, at, motive, paths }: ListedRun): string =>
  [`${run}  ${new Date(at).toISOString()}  ${motive === '' ? '' : printable(motive)}`.trimEnd(), ...paths.map((path) => `    ${printable(path)}`)].join('\n')

const WHY = {
  'changed-since': 'something else stands there by now, and it is left alone',
  refused: 'the path policy does not allow it, or the place cannot be reached any more',
} as const

/** One line for each place, and one for what was never kept. */
export function reportText({ run, changes, stays }: UndoReport): string {
  const lines = changes.map(({ path, state }) => (state === 'restored' ? `restored  ${printable(path)}` : `left      ${printable(path)}: ${WHY[state]}`))
  if (lines.length === 0) lines.push('nothing was changed')
  if (stays.length > 0) lines.push(`stays     ${stays.join(', ')}: only changes of files are kept so that they can be taken back`)
  return [`request ${run}`, ...lines].join('\n')
}
