import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditRow, TrailHead } from '../kernel/audit.ts'
import { createJournal } from './journal.ts'
import type { DoorEvent } from './journal.ts'
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

function journalTo(log: Log): Pick<ReturnType<typeof createJournal>, 'note'> {
  const trail = { append() {}, async write() {}, head: () => head, async flush() {}, async close() {} }
  const lineOf = (row: AuditRow, at?: TrailHead): string => `${row.outcome} ${at?.seq ?? '-'}`
  return createJournal({ clock: { now: () => 0, ticks: () => 0 }, newId: () => 'id', trail, log, lineOf, redacted: async (text) => text, trailRequired: true })
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
