/** The property of taking back: after any changes of one run, nothing is other than before it. */

import * as fc from 'fast-check'
import { expect } from 'vitest'
import { codeOf } from '../../tools/files/machine.fixture.ts'
import type { Machine } from '../../tools/files/machine.fixture.ts'

export async function undoesExactly(machine: Machine, numRuns: number): Promise<void> {
  const change = (name: string, args: object, run: string) => machine.call(name, args, 'agrees', { run })
  const names = ['a', 'b', 'c/d', 'c/e']
  // Of these one is a link to a file that is there or not, and one lies where no folder is.
  const name = fc.constantFrom(...names, 'link', 'new/er/f')
  machine.link('link', 'a')
  const step = fc.oneof(
    fc.record({ tool: fc.constant('write_file'), path: name, content: fc.string({ maxLength: 20 }) }),
    fc.record({ tool: fc.constant('copy_file'), source: name, target: name }),
    fc.record({ tool: fc.constant('move_file'), source: name, target: name }),
    fc.record({ tool: fc.constant('delete_file'), path: name }),
    fc.record({ tool: fc.constant('edit_file'), path: name, old_text: fc.constantFrom('a', 'c', '1'), new_text: fc.string({ maxLength: 5 }) }),
  )
  let round = 0
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), fc.subarray(names), fc.constantFrom(0o644, 0o600, 0o751, 0o440), async (steps, there, mode) => {
    round += 1
    for (const path of there) machine.put(path, `${path} ${round}`, mode)
    machine.put('bystander', `${round}`)
    const before = machine.picture()
    for (const { tool, ...args } of steps) expect(codeOf(await change(tool, args, `run-${round}`))).not.toBe('fault')
    machine.app.clock.pass(1)
    const made = await machine.app.app.undo.runs()
    if (made.some(({ run }) => run === `run-${round}`)) await machine.app.app.undo.undo(`run-${round}`)
    expect(machine.picture()).toEqual(before)
  }), { numRuns })
}
