/**
 * Keeps what a call leaves behind out of the engine's old space. V8 allots an object there at once where many from the
 * same place in the code have outlived small collections. What dies with its call then hangs on until the next full
 * collection, and everything that it refers to with it is copied at each small one until then.
 */

import { setFlagsFromString } from 'node:v8'

/**
 * For a process that is ours: a flag of V8 is everybody's, so a program that imports the package decides for itself. The
 * second one collects young objects on one thread: next to nothing of a call is left by then, and helpers cost more to wake
 * than they take over.
 */
export function keepHeapYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
  setFlagsFromString('--no-parallel-scavenge')
}
