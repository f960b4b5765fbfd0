import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditRow, TrailHead } from '../kernel/audit.ts'
import { createJournal } from './journal.ts'
import type { DoorEvent } from './journal.ts'
import type { LogLevel } from './log-level.ts'
import type { Log } from './ports.ts'

let head: TrailHead | undefined
let lines: string[]
beforeEach(() => {
  head = undefined
  lines = []
})

const move = (seq: number): void => void (head = { seq, hash: 'ab'.repeat(32) })
const ok: DoorEvent = { door: 'http', kind: 'message', component: 'ping', outcome: 'ok', code: '' }
const refused: DoorEvent = { ...ok, outcome: 'refused', code: 'message.invalid' }

function journalTo(log: Log, logLevel: LogLevel = 'info', write = async (): Promise<void> => {}): Pick<ReturnType<typeof createJournal>, 'note' | 'announce' | 'ended'> {
  const trail = { append() {}, write, head: () => head, async flush() {}, async close() {} }
  const lineOf = (row: AuditRow, at?: TrailHead): string => `${row.outcome} ${at?.seq ?? '-'}`
  return createJournal({ clock: { now: () => 0, ticks: () => 0 }, newId: () => 'id', trail, log, logLevel, lineOf, redacted: async (text) => text, trailRequired: false })
}

describe('the head of the trail', () => {
  it('is on each line of a log that takes lines at once', () => {
    const journal = journalTo((line) => lines.push(line) > 0)
    move(1)
    for (const event of [ok, ok, refused]) journal.note(event)
    expect(lines).toEqual(['ok 1', 'ok 1', 'refused 1'])
  })

  it('is on the first line behind each batch of a log that gathers lines, and on each that tells of no success', () => {
    const waiting: (() => string)[] = []
    const log: Log = (line) => lines.push(line) > 0
    log.later = (lineOf, of) => waiting.push(() => lineOf(of)) > 0
    const journal = journalTo(log)
    const write = (): void => void lines.push(...waiting.splice(0).map((line) => line()))
    for (const event of [ok, refused]) journal.note(event)
    write()
    move(2)
    for (const event of [ok, ok, refused, ok]) journal.note(event)
    write()
    move(6)
    for (const event of [ok, ok]) journal.note(event)
    write()
    expect(lines).toEqual(['ok -', 'refused -', 'ok 2', 'ok -', 'refused 2', 'ok -', 'ok 6', 'ok -'])
  })
})

describe('the least level of the log', () => {
  const fault: DoorEvent = { ...ok, outcome: 'fault', code: '' }
  const row: AuditRow = { id: 'a', at: 0, door: 'http', kind: 'tool', component: 'kv_set', caller: 'x', args: '', outcome: 'intent', code: '', reason: '', ms: 0, trace: '' }
  const broken = (): Promise<void> => Promise.reject(new Error('disk full'))

  it('leaves out lines of less important outcomes, whether or not the log gathers them', () => {
    const gathering: Log = (line) => lines.push(line) > 0
    gathering.later = (lineOf, of) => lines.push(lineOf(of)) > 0
    for (const log of [(line: string) => lines.push(line) > 0, gathering]) {
      for (const level of ['info', 'warn', 'error'] as const) {
        lines = []
        const journal = journalTo(log, level)
        for (const event of [ok, refused, fault]) journal.note(event)
        expect(lines.map((line) => line.split(' ')[0])).toEqual({ info: ['ok', 'refused', 'fault'], warn: ['refused', 'fault'], error: ['fault'] }[level])
      }
    }
  })

  it('keeps what is meant to happen, and what came of it, where the trail would not take it', async () => {
    const journal = journalTo((line) => lines.push(line) > 0, 'error', broken)
    expect(await journal.announce(row)).toBeUndefined()
    await journal.ended({ ...row, outcome: 'ok' })
    await journal.ended({ ...row, id: 'b', outcome: 'ok' })
    expect(lines).toEqual(['intent -', 'ok -'])
  })

  it('leaves out an effect that the trail took', async () => {
    const journal = journalTo((line) => lines.push(line) > 0, 'warn')
    await journal.announce(row)
    await journal.ended({ ...row, outcome: 'ok' })
    expect(lines).toEqual([])
  })
})
