/** `backup`, `restore`: what is kept on this disk, copied while it is served, and put back. */

import { resolve } from 'node:path'
import { backUp, BackupError, type BackupPlace, type Manifest, putBack } from '../../app/backup.ts'
import { load } from './load.ts'
import { openProgress, withProgress } from './progress.ts'
import type { Progress } from './progress.ts'
import { EXIT, print, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

type Options = Readonly<Record<string, unknown>>

export const backup = (terminal: Terminal, options: Options, [folder = '']: readonly string[]): Promise<number> =>
  shown(terminal, options, ['copying', 'copied'], (onFile) => backUp(resolve(terminal.cwd, folder), placeOf(terminal, options), { withoutDatabase: options['withoutDatabase'] === true, onFile }))

export const restore = (terminal: Terminal, options: Options, [folder = '']: readonly string[]): Promise<number> =>
  shown(terminal, options, ['putting back', 'put back'], (onFile) => putBack(resolve(terminal.cwd, folder), placeOf(terminal, options), onFile))

function placeOf(terminal: Terminal, options: Options): BackupPlace {
  const { values, dataDir } = load(terminal, options)
  return { settings: values, dataDir: resolve(terminal.cwd, dataDir), cwd: terminal.cwd }
}

async function shown(terminal: Terminal, options: Options, [doing, done]: readonly [string, string], work: (onFile: Progress['at']) => Promise<Manifest>): Promise<number> {
  try {
    const { files, at, version } = await withProgress(openProgress(terminal, doing, { json: options['json'] === true }), work)
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    if (options['json'] === true) print(terminal, JSON.stringify({ at, version, files: files.length, bytes }))
    else print(terminal, `${done}: ${files.length} files, ${bytes} bytes, of ${at}`)
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof BackupError) && typeof (error as { code?: unknown }).code !== 'string') throw error
    say(terminal, `arrowhead: ${error instanceof BackupError ? error.message : `the disk said ${String((error as { code?: unknown }).code)}`}`)
    return EXIT.refused
  }
}
