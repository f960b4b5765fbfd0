import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { guarantees } from './guarantees.ts'
import { access } from './proofs/access.ts'
import { audit } from './proofs/audit.ts'
import { bound } from './proofs/bound.ts'
import { budget } from './proofs/budget.ts'
import { commands } from './proofs/commands.ts'
import { git } from './proofs/git.ts'
import { localPaths } from './proofs/local-paths.ts'
import { undo } from './proofs/undo.ts'
import { calculate } from './proofs/calculate.ts'
import { concurrency } from './proofs/concurrency.ts'
import { consent } from './proofs/consent.ts'
import { context } from './proofs/context.ts'
import { contain } from './proofs/contain.ts'
import { deadline } from './proofs/deadline.ts'
import { docs } from './proofs/docs.ts'
import { exec } from './proofs/exec.ts'
import { egress } from './proofs/egress.ts'
import { frame } from './proofs/frame.ts'
import { integrity } from './proofs/integrity.ts'
import { intent } from './proofs/intent.ts'
import { jail } from './proofs/jail.ts'
import { sql } from './proofs/sql.ts'
import { killSwitch } from './proofs/kill-switch.ts'
import { models } from './proofs/models.ts'
import { level } from './proofs/level.ts'
import { notify } from './proofs/notify.ts'
import { libraryDoor } from './proofs/library.ts'
import { ownership } from './proofs/ownership.ts'
import { output } from './proofs/output.ts'
import { quota } from './proofs/quota.ts'
import { repo } from './proofs/repo.ts'
import { redact } from './proofs/redact.ts'
import { resume } from './proofs/resume.ts'
import { sanitise } from './proofs/sanitise.ts'
import { settings } from './proofs/settings.ts'
import { shape } from './proofs/shape.ts'
import { tool } from './proofs/tool.ts'
import { view } from './proofs/view.ts'
import { createProofs } from './proves.ts'
import { proofFile } from './render.ts'
import { rowNames } from './world.ts'

const AREAS = [
  view, resume, quota, budget, concurrency, deadline, shape, access, level, consent, intent, output, sanitise, redact, bound, frame, audit, contain,
  egress, jail, localPaths, commands, undo, git, docs, sql, ownership, repo, context, models, exec, notify, calculate, integrity, killSwitch, tool, libraryDoor, settings,
]
/** Rows that promise nothing yet. `trace` opens spans only where telemetry is wired, and it is not. */
const UNPROMISED: readonly string[] = ['trace']

const { proves, proven } = createProofs(guarantees)

describe('this server promises', () => {
  for (const area of AREAS) area(proves)
})

describe('the list of promises', () => {
  it('has a proof for each promise, and no proof of anything else', () => {
    expect([...proven].sort()).toEqual(guarantees.map(({ id }) => id).sort())
  })

  it('says each promise once, in one sentence', () => {
    expect(new Set(guarantees.map(({ id }) => id)).size).toBe(guarantees.length)
    for (const { promise } of guarantees) expect(promise).toMatch(/^[A-Z][^\n|]{20,220}\.$/)
  })

  it('names rows and places that exist', () => {
    for (const { keptBy } of guarantees) {
      if ('row' in keptBy) expect(rowNames()).toContain(keptBy.row)
      else expect([keptBy.place, existsSync(keptBy.place)]).toEqual([keptBy.place, true])
    }
    for (const { id } of guarantees) expect([id, existsSync(proofFile(id))]).toEqual([id, true])
  })

  it('has the rows of the chain on the architecture page, in order', () => {
    const named = [...readFileSync('docs/explain/architecture.md', 'utf8').matchAll(/\*\*(?:watch|admit|release)\*\*:([^.]*)/g)].flatMap(([, text = '']) => text.match(/(?<=`)[a-z]+(?=`)/g) ?? [])
    expect(named).toEqual(rowNames())
  })

  it('asks something of every row of the chain', () => {
    const asked = new Set(guarantees.flatMap(({ keptBy }) => ('row' in keptBy ? [keptBy.row] : [])))
    expect(rowNames().filter((row) => !asked.has(row))).toEqual(UNPROMISED)
  })
})
