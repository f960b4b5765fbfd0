/** Another process exchanges a folder, and a file in it, with links that lead out, again and again, while everything that reads or changes files is called. */

import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { codeOf, openMachine } from '../../tools/files/machine.fixture.ts'
import type { Machine } from '../../tools/files/machine.fixture.ts'

const RACE_MS = 60_000
const MARK = 'OUTSIDE5c1e'
const NAMES = ['a', 'b', 'c', 'd'] as const

/** `parent` and `parent-link` change places, and so do `file` and `file-link`, as often as the system can. */
const SWAPPER = `
const { renameSync, symlinkSync } = require('node:fs')
const [home, outside, untilMs] = process.argv.slice(1)
process.chdir(home)
symlinkSync(outside, 'parent-link')
symlinkSync(outside + '/a', 'file-link')
let swaps = 0
const swap = (name) => { renameSync(name, name + '-aside'); renameSync(name + '-link', name); renameSync(name, name + '-link'); renameSync(name + '-aside', name); swaps += 1 }
while (Date.now() < Number(untilMs)) for (const name of ['parent', 'file']) try { swap(name) } catch { for (const [from, to] of [[name, name + '-link'], [name + '-aside', name]]) try { renameSync(from, to) } catch {} }
console.log(swaps)
`

let machine: Machine
beforeEach(() => {
  machine = openMachine()
  for (const name of NAMES) writeFileSync(join(machine.outside, name), `${MARK} ${name}`)
  for (const name of NAMES) machine.put(`parent/${name}`, `inside ${name}`)
  machine.put('file', 'inside file')
  mkdirSync(join(machine.home, 'calm'))
})
afterEach(() => machine.close())

const outsideOf = (picture: Readonly<Record<string, string>>): object => Object.fromEntries(Object.entries(picture).filter(([path]) => path.startsWith('outside')))

/** Texts below a folder, without following links. */
function textsBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile()).map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
}

it('nothing outside is read, made, changed or taken away', async () => {
  const before = outsideOf(machine.picture())
  const untilMs = Date.now() + RACE_MS
  const swapper = spawn(process.execPath, ['-e', SWAPPER, machine.home, machine.outside, String(untilMs)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  swapper.stdout.on('data', (bytes: Buffer) => void (said += bytes.toString()))
  const over = new Promise((done) => swapper.once('close', done))
  const counts: Record<string, Record<string, number>> = {}
  const escapes: string[] = []
  for (let round = 0; Date.now() < untilMs; round += 1) {
    const name = NAMES[round % NAMES.length] ?? 'a'
    const run = `run-${round % 20}`
    for (const [tool, args] of [
      ['search_files', { path: 'parent', query: 'e' }], ['list_files', { path: 'parent' }], ['find_files', { path: 'parent', pattern: '*' }], ['search_files', { path: '~', query: MARK }],
      ['write_file', { path: `parent/${name}`, content: `again ${round}` }], ['write_file', { path: `parent/new-${round}`, content: 'new' }], ['write_file', { path: 'file', content: `inside file ${round}` }],
      ['edit_file', { path: `parent/${name}`, old_text: 'again', new_text: 'edited' }], ['copy_file', { source: `parent/${name}`, target: `calm/copy-${round % 50}` }], ['copy_file', { source: 'file', target: `parent/copied-${round}` }],
      ['move_file', { source: `parent/new-${round}`, target: `parent/moved-${round}` }], ['move_file', { source: `parent/moved-${round}`, target: `calm/moved-${round}` }], ['delete_file', { path: `parent/copied-${round}` }], ['delete_file', { path: `calm/moved-${round}` }],
      ['write_file', { path: `parent/${name}`, content: `inside ${name}` }],
    ] as const) {
      const outcome = await machine.call(tool, args, 'agrees', { run })
      const code = codeOf(outcome)
      const of = (counts[tool] ??= {})
      of[code] = (of[code] ?? 0) + 1
      if (outcome.is === 'ok' && JSON.stringify(outcome.answer.value).includes(MARK)) escapes.push(`${tool} told what is outside`)
      if (code === 'fault') escapes.push(`${tool} failed`)
    }
    if (round % 20 === 19) await machine.app.app.undo.undo(run).catch(() => undefined)
  }
  await over
  console.log(`${said.trim()} exchanges; calls by how they ended: ${JSON.stringify(counts)}`)
  expect(Number(said)).toBeGreaterThan(1_000)
  expect([...new Set(escapes)]).toEqual([])
  expect(outsideOf(machine.picture())).toEqual(before)
  expect(textsBelow(machine.home).filter((text) => text.includes(MARK))).toEqual([])
  for (const [tool, of] of Object.entries(counts)) expect([tool, (of['ok'] ?? 0) > 0]).toEqual([tool, true])
}, 240_000)
