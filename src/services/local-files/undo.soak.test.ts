import { expect, it } from 'vitest'
import { openMachine } from '../../tools/files/machine.fixture.ts'
import { undoesExactly } from './undo.fixture.ts'

it('touches only what a run touched, in hundreds of runs', async () => {
  const machine = openMachine()
  try {
    await undoesExactly(machine, 300)
    expect(await machine.app.app.undo.runs()).toEqual([])
  } finally {
    await machine.close()
  }
})
