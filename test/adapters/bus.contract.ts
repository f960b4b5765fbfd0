/** What every adapter of the bus does. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Bus } from '../../src/kernel/ports/bus.ts'

export interface BusWorld {
  /** Another process. */
  open(secret?: string): Bus
  remove(): Promise<void>
}

export function busContract(name: string, makeWorld: () => Promise<BusWorld>): void {
  describe(`the bus ${name}`, () => {
    let world: BusWorld
    beforeEach(async () => {
      world = await makeWorld()
    })
    afterEach(() => world.remove())
    /** Says it until somebody hears: listening begins in its own time. */
    const heard = (bus: Bus, topic: string, message: string): Promise<void> => vi.waitFor(async () => expect(await bus.publish(topic, message)).toBeGreaterThan(0), 5_000)

    it('carries a message as it is to those who listen there, and to nobody else', async () => {
      const [one, other] = [world.open(), world.open()]
      const [here, elsewhere]: string[][] = [[], []]
      one.subscribe('here', (message) => here?.push(message))
      one.subscribe('elsewhere', (message) => elsewhere?.push(message))
      const text = `{"a":"\u{1F600}\0\n"}${'x'.repeat(10_000)}`
      await heard(other, 'here', text)
      await vi.waitFor(() => expect(here).toContain(text))
      expect(elsewhere).toEqual([])
    })

    it('says that nobody heard where nobody listens', async () => {
      expect(await world.open().publish('nobody', 'x')).toBe(0)
    })

    it('is silent for those who stopped listening', async () => {
      const [one, other] = [world.open(), world.open()]
      const all: string[] = []
      const stop = one.subscribe('here', (message) => all.push(message))
      await heard(other, 'here', 'first')
      await vi.waitFor(() => expect(all).toContain('first'))
      stop()
      const before = all.length
      await other.publish('here', 'second')
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(all).toHaveLength(before)
    })
  })
}
