/** Turns proofs into tests, and remembers which promises have one. */

import { expect, it } from 'vitest'
import type { Guarantee } from './guarantees.ts'
import { inWorld } from './world.ts'
import type { World } from './world.ts'

/**
 * Registers a test. It fails by an assertion where the promise does not hold, and by any other error where the
 * proof itself is broken: only the first counts as broken where a row of the chain was taken out.
 */
export type Proves = (id: string, sentence: string, proof: (world: World) => unknown) => void

/** The proofs of one area. */
export type Area = (proves: Proves) => void

export interface Proofs {
  readonly proves: Proves
  readonly proven: ReadonlySet<string>
}

export function createProofs(guarantees: readonly Guarantee[]): Proofs {
  const proven = new Set<string>()
  const keepers = new Map(guarantees.map(({ id, keptBy }) => [id, keptBy]))
  return {
    proven,
    proves(id, sentence, proof) {
      proven.add(id)
      const keeper = keepers.get(id)
      it(`${id}: ${sentence}`, async () => {
        expect.hasAssertions()
        await inWorld(proof)
        if (keeper && 'row' in keeper) {
          const broken = inWorld(proof, keeper.row)
          await expect(broken, `the promise must not hold without the ${keeper.row} row`).rejects.toMatchObject({ name: 'AssertionError' })
        }
      })
    },
  }
}
