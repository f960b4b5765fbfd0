/** `overlay`: what dry runs would have changed in a workspace. */

import { resolve } from 'node:path'
import { openOverlay, shownChange } from '../../app/overlay.ts'
import type { OpenOverlay } from '../../app/overlay.ts'
import { findGround } from '../../app/workspace-start.ts'
import { EXIT, print, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'
import { settingsBeside } from './workspace-settings.ts'

type Options = Readonly<Record<string, unknown>>

/** Prints every change. */
export const overlayDiff = (terminal: Terminal, options: Options): Promise<number> =>
  withOverlay(terminal, options, async (overlay) => {
    const changes = await overlay.changes()
    if (options['json'] === true) print(terminal, JSON.stringify({ changes: await Promise.all(changes.map(async (change) => ({ path: change.path, kind: change.kind, diff: await shownChange(overlay, change) }))) }))
    else for (const change of changes) print(terminal, await shownChange(overlay, change))
    return EXIT.ok
  })

/** Makes the changes whose places are as they were. @returns 1 when one was left. */
export const overlayApply = (terminal: Terminal, options: Options): Promise<number> =>
  withOverlay(terminal, options, async (overlay) => {
    const changes = await overlay.apply()
    if (options['json'] === true) print(terminal, JSON.stringify({ changes }))
    else for (const { path, kind, outcome } of changes) {
      const why = outcome === 'changed' ? 'something else stands there by now' : 'may not be written'
      if (outcome === 'applied') print(terminal, `${kind} ${JSON.stringify(path)}`)
      else say(terminal, `arrowhead: left ${JSON.stringify(path)}: ${why}`)
    }
    return changes.every(({ outcome }) => outcome === 'applied') ? EXIT.ok : EXIT.refused
  })

/** Forgets every change. */
export const overlayDiscard = (terminal: Terminal, options: Options): Promise<number> =>
  withOverlay(terminal, options, async (overlay) => {
    const discarded = await overlay.discard()
    print(terminal, options['json'] === true ? JSON.stringify({ discarded }) : `${discarded} discarded`)
    return EXIT.ok
  })

async function withOverlay(terminal: Terminal, options: Options, work: (overlay: OpenOverlay) => Promise<number>): Promise<number> {
  const place = resolve(terminal.cwd, typeof options['cwd'] === 'string' ? options['cwd'] : '.')
  const { dataDir, home } = settingsBeside(place, terminal, options)
  const overlay = openOverlay(findGround(place, [dataDir, home]), dataDir)
  try {
    return await work(overlay)
  } finally {
    await overlay.close()
  }
}
