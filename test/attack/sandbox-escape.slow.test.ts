import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxProblem } from '../../src/services/runner/sandbox-problem.ts'
import { ATTEMPTS } from './escape-attempts.ts'
import { openEscapeWorld } from './escape-world.ts'
import type { EscapeWorld, Tried } from './escape-world.ts'
import { listOf } from './render-runners.ts'

const MINUTES_MS = 600_000
const PAGE = new URL('../../docs/explain/runners.md', import.meta.url)

const hasPython = existsSync('/usr/bin/python3')
const whyNot = hasPython ? sandboxProblem() : 'there is no /usr/bin/python3'
const isLinux = process.platform === 'linux'

const row = ({ id, says }: { readonly id: string; readonly says: string }) => [id, says] as const

it('there are more than fifty ways, and no two of one name', () => {
  expect(new Set(ATTEMPTS.map(({ id }) => id)).size).toBe(ATTEMPTS.length)
  expect(ATTEMPTS.length).toBeGreaterThan(50)
})

describe.skipIf(whyNot !== undefined)(`in sandbox${whyNot === undefined ? '' : ` (skipped: ${whyNot})`}, no code`, () => {
  let world: EscapeWorld
  let tried: ReadonlyMap<string, Tried>
  beforeAll(async () => {
    world = await openEscapeWorld('sandbox')
    tried = await world.try(ATTEMPTS)
  }, MINUTES_MS)
  afterAll(() => world?.close())

  it.each(ATTEMPTS.map(row))('%s: %s', (id) => {
    expect(tried.get(id), tried.get(id)?.said).toMatchObject({ began: true, escaped: false })
  })
})

describe.skipIf(!hasPython || !isLinux)(`in subprocess${hasPython && isLinux ? '' : ' (skipped: needs Linux with /usr/bin/python3)'}`, () => {
  const attempts = ATTEMPTS.filter(({ deadly }) => deadly !== true)
  let world: EscapeWorld
  let tried: ReadonlyMap<string, Tried>
  beforeAll(async () => {
    world = await openEscapeWorld('subprocess')
    tried = await world.try(attempts)
    const open = attempts.filter(({ id }) => tried.get(id)?.escaped)
    console.log(`subprocess does not stop, on this machine, code that\n${open.map(({ id, says }) => `- ${says} (${id})`).join('\n')}`)
  }, MINUTES_MS)
  afterAll(() => world?.close())

  it.each(attempts.filter(({ subprocess }) => subprocess === 'open').map(row))('%s works: code %s', (id) => {
    expect(tried.get(id), tried.get(id)?.said).toMatchObject({ began: true, escaped: true })
  })

  it.each(attempts.filter(({ subprocess }) => subprocess === 'stopped').map(row))('%s does not work: no code %s', (id) => {
    expect(tried.get(id), tried.get(id)?.said).toMatchObject({ began: true, escaped: false })
  })
})

it('the page about runners lists exactly what subprocess does not stop', () => {
  const page = readFileSync(PAGE, 'utf8')
  for (const verdict of ['open', 'depends', 'stopped'] as const) expect(page).toContain(`\n\n${listOf(ATTEMPTS, verdict)}\n`)
})
