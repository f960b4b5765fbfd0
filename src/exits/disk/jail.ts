/**
 * One folder of the disk, and no way out of it. Every path is relative to its root; links work as long as they
 * stay inside; only regular files are read, and only those with no second name outside. Missing, outside,
 * special and unreadable are one refusal with one text, and no error names a path.
 */

import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { diskError, unavailable } from './disk-error.ts'
import type { Jail, JailOptions } from './jail-port.ts'
import { OpenJail } from './open-jail.ts'
import { pinAt as defaultPinAt } from './pin.ts'

export type { Jail, JailOptions, PlaceStats } from './jail-port.ts'

/**
 * Opens a root, once: if it is a link, the folder behind it is the root from then on, and a rename does not
 * lose it. Work is done by short synchronous calls (several times faster than `fs.promises`), none of which
 * waits for another party.
 * @throws Refusal `file.unavailable` when there is no such folder.
 */
export const openJail = async (root: string, options: JailOptions = {}): Promise<Jail> => {
  const { pinAt = defaultPinAt, onStep = () => {} } = options
  try {
    const written = resolve(root)
    const real = await realpath(written)
    const pin = pinAt(real)
    if (!pin.stats.isDirectory()) {
      pin.release()
      throw unavailable('root')
    }
    return new OpenJail({ root: pin, rootPaths: [real, written], pinAt, onStep }, options)
  } catch (error) {
    throw diskError(error)
  }
}
