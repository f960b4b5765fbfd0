/** `checkpoint`: what runs of the assistant changed in a workspace, to be put back. */

import { relative, resolve } from 'node:path'
import { findGround } from '../../app/workspace-start.ts'
import { openWorkspaceUndo } from '../../app/workspace-undo.ts'
import type { OpenUndo } from '../../app/workspace-undo.ts'
import { Refusal, refusalText } from '../../kernel/refusal.ts'
import { EXIT, print, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'
import { settingsBeside } from './workspace-settings.ts'

type Options = Readonly<Record<string, unknown>>

/** Prints each run: when, its session, and the files. */
export const checkpointList = (terminal: Terminal, options: Options): Promise<number> =>
  withUndo(terminal, options, async (undo, shown) => {
    const runs = await undo.runs()
    if (options['json'] === true) print(terminal, JSON.stringify({ runs }))
    else for (const { run, at, paths } of runs) print(terminal, `${new Date(at).toISOString()} ${run} ${paths.map(shown).join(' ')}`)
    return EXIT.ok
  })

/** Puts back what one run changed. @returns 1 where something was left. */
export const checkpointRestore = (terminal: Terminal, options: Options, [session]: readonly string[]): Promise<number> =>
  withUndo(terminal, options, async (undo, shown) => {
    const { changes } = await undo.undo(session)
    if (options['json'] === true) print(terminal, JSON.stringify({ changes }))
    else for (const { path, state } of changes) {
      if (state === 'restored') print(terminal, `restored ${shown(path)}`)
      else say(terminal, `arrowhead: left ${shown(path)}: ${state === 'refused' ? 'may not be written' : 'something else stands there by now'}`)
    }
    return changes.every(({ state }) => state === 'restored') ? EXIT.ok : EXIT.refused
  })

async function withUndo(terminal: Terminal, options: Options, work: (undo: OpenUndo, shown: (path: string) => string) => Promise<number>): Promise<number> {
  const place = resolve(terminal.cwd, typeof options['cwd'] === 'string' ? options['cwd'] : '.')
  const { dataDir, home } = settingsBeside(place, terminal, options)
  const found = findGround(place, [dataDir, home])
  const undo = openWorkspaceUndo(found, dataDir)
  try {
    return await work(undo, (path) => JSON.stringify(relative(found.cwd, path)))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (options['json'] === true) print(terminal, JSON.stringify({ error: error.code, message: refusalText(error) }))
    else say(terminal, `arrowhead: ${refusalText(error)}`)
    return EXIT.refused
  } finally {
    await undo.close()
  }
}
