/** The way into a jail: parse a path, judge its spelling, walk, judge the real place, and only then hand it out. */

import { Refusal, refusal } from '../../kernel/refusal.ts'
import { holdsCredentials } from '../../policy/credential-paths.ts'
import { FOLDER_MARK, parseRelativePath } from '../../policy/relative-path.ts'
import { unavailable } from './disk-error.ts'
import type { JailOptions } from './jail-port.ts'
import type { Pin } from './pin.ts'
import { type Arrival, type Ground, isWithin, walkTo } from './walk.ts'

/** What a path is wanted for. */
type Purpose = 'read' | 'write'

export interface Entrance {
  /** Applies the rules to names from the root on. @throws Refusal `file.credential`, or what the jail's own judge says. */
  check(names: readonly string[], purpose: Purpose): void
  /** Applies the rules to the path as written and as it really is, then hands the place out. */
  visit<T>(components: readonly string[], use: (arrival: Arrival) => T, how?: { readonly make?: boolean; readonly purpose?: Purpose }): T
  /** The same for the folder of a path that is about to be written or removed, and its last name. */
  visitTarget(path: string, make: boolean, use: (folder: Pin, name: string) => void): void
}

/** @throws Refusal for what is no path. */
export const parsePath = (path: string): readonly string[] => {
  const components = parseRelativePath(path)
  if (components instanceof Refusal) throw components
  return components
}

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, index) => name === other[index])

/** Folder and last name of a path that is about to be written or removed. */
export const parseTarget = (path: string): { readonly above: readonly string[]; readonly name: string } => {
  const components = parsePath(path)
  const name = components.at(-1)
  if (name === undefined || name === FOLDER_MARK) throw unavailable('kind')
  return { above: components.slice(0, -1), name }
}

/** Names from the root to a place, as the kernel spells them now. @throws Refusal when it is not inside. */
export const namesInside = ({ root }: Ground, pin: Pin): readonly string[] => {
  const top = root.real()
  const at = pin.real()
  if (!isWithin(top, at)) throw unavailable('outside')
  return at.slice(top.length).split('/').filter((name) => name !== '')
}

export function createEntrance(ground: Ground, { allowCredentials = false, judge }: JailOptions): Entrance {
  const check: Entrance['check'] = (names, purpose) => {
    if (!allowCredentials && holdsCredentials(names)) throw refusal('file.credential')
    const no = judge?.(names, purpose)
    if (no) throw no
  }

  const visit: Entrance['visit'] = (components, use, { make = false, purpose = 'read' } = {}) => {
    check(components, purpose)
    return walkTo(ground, components, (arrival) => {
      const names = namesInside(ground, arrival.pin)
      // The walk's own names count too: the kernel marks the name of what was removed meanwhile.
      if (!isEqual(arrival.names, components)) check(arrival.names, purpose)
      if (!isEqual(names, arrival.names)) check(names, purpose)
      return use({ ...arrival, names })
    }, { make })
  }

  return {
    check,
    visit,
    visitTarget(path, make, use) {
      const { above, name } = parseTarget(path)
      check([...above, name], 'write')
      visit(above, ({ pin, names }) => {
        if (!pin.stats.isDirectory()) throw unavailable('kind')
        check([...names, name], 'write')
        use(pin, name)
      }, { make })
    },
  }
}
