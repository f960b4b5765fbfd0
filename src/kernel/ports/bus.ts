/**
 * Short messages between the processes of one deployment. Best effort: nobody hears what was said while a link was
 * down, so whatever matters is also found by looking. Adapters pass `test/adapters/bus.contract.ts`.
 */

export interface Bus {
  /** @returns how many processes heard it; 0 where none did, or where nothing could be said. */
  publish(topic: string, message: string): Promise<number>
  /** Hears what is published from now on. @returns what ends the listening. */
  subscribe(topic: string, hear: (message: string) => void): () => void
}
