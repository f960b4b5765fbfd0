/** `logs` and `audit verify`: what the trail holds, and whether it is whole. */

import { auditReader, logLine, parseAnchor } from '../../app/audit-reader.ts'
import { load } from './load.ts'
import { openProgress, withProgress } from './progress.ts'
import { EXIT, print, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

type Options = Readonly<Record<string, unknown>>
type Reader = ReturnType<typeof auditReader>
type Entry = ReturnType<Reader['newest']>[number]

const MAX_LIMIT = 10_000

export async function logs(terminal: Terminal, options: Options): Promise<number> {
  const given = String(options['limit'])
  const limit = Number(given)
  if (!/^\d{1,5}$/.test(given) || limit > MAX_LIMIT) {
    say(terminal, `arrowhead: --limit accepts a whole number from 0 to ${MAX_LIMIT}`)
    return EXIT.usage
  }
  const { values, dataDir } = load(terminal, options)
  const reader = auditReader(values, dataDir)
  const show = (entry: Entry): void => print(terminal, options['json'] === true ? logLine(entry.row, entry.head) : column(entry))
  // Whoever wants none of what there is follows from its end all the same.
  const newest = attempt(() => reader.newest(Math.max(limit, 1)))
  if (typeof newest === 'string') {
    say(terminal, `arrowhead: ${newest}`)
    return EXIT.refused
  }
  if (limit > 0) for (const entry of newest) show(entry)
  if (options['follow'] === true) for await (const entry of reader.follow(newest.at(-1)?.head.seq ?? 0, whileRead(terminal))) show(entry)
  else if (newest.length === 0) say(terminal, 'arrowhead: no calls are on record yet')
  return EXIT.ok
}

/** Aborts when the process is asked to stop, and when nobody reads what it prints any more. */
function whileRead({ stdout, stop }: Terminal): AbortSignal {
  const gone = new AbortController()
  stdout.once('error', () => gone.abort())
  return AbortSignal.any([stop, gone.signal])
}

/** What the trail says of itself where it cannot be read. */
export function attempt<T>(work: () => T): T | string {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error.message : 'the trail cannot be read'
  }
}

/** One call in one line for a person: whatever its texts are, and whoever wrote into the file, nothing of it may act on the terminal. */
export const column = ({ row }: Entry): string => columns(row).map(printable).join('  ')

const MAX_TIME_MS = 8.64e15

function columns({ at, door, component, caller, outcome, code, ms, args, errand }: Entry['row']): readonly string[] {
  const time = Math.abs(at) <= MAX_TIME_MS ? new Date(at).toISOString() : String(at)
  const start = [time, door.padEnd(7), component.padEnd(20), (caller || 'anonymous').padEnd(12)]
  if (!errand) return [...start, outcome.padEnd(8), code || '-', `${ms} ms`, args]
  const { request, motive, level, confirmed, status, values } = errand
  return [...start, (status || outcome).padEnd(8), level, confirmed ? 'confirmed' : '-', code || '-', `${ms} ms`, `request ${request}`, values || args, ...(motive === '' ? [] : [`for ${motive}`])]
}

/** On one line, with nothing in it that acts on a terminal. */
export const printable = (text: string): string => JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replace(/[\p{C}\u2028\u2029]/gu, (hidden) => `\\u{${(hidden.codePointAt(0) ?? 0).toString(16)}}`)

export async function verifyAudit(terminal: Terminal, options: Options): Promise<number> {
  const given = (options['anchor'] ?? []) as readonly string[]
  const anchors = given.map(parseAnchor)
  if (anchors.includes(undefined)) {
    say(terminal, 'arrowhead: --anchor accepts the "head" of a log line, SEQ:HASH')
    return EXIT.usage
  }
  const { values, dataDir } = load(terminal, options)
  const isJson = options['json'] === true
  const verdict = await withProgress(openProgress(terminal, 'reading the trail', { json: isJson }), (at) => auditReader(values, dataDir).verify(anchors.filter((anchor) => anchor !== undefined), at))
  if (isJson) {
    print(terminal, JSON.stringify(verdict))
    return verdict.ok ? EXIT.ok : EXIT.refused
  }
  if (!verdict.ok) {
    say(terminal, `arrowhead: the trail is not whole: ${verdict.problem} at row ${verdict.seq}; ${verdict.rows} rows before it are good`)
    return EXIT.refused
  }
  const { rows, head, openIntents } = verdict
  print(terminal, `whole: ${rows} rows, head ${head ? `${head.seq}:${head.hash}` : 'none'}`)
  if (openIntents.count > 0) print(terminal, `outcome unknown: ${openIntents.count} effects were begun and not recorded as ended: ${printable(openIntents.ids.join(', '))}`)
  return EXIT.ok
}
