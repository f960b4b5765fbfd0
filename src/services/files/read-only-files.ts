/**
 * The `Files` port over one jailed folder: UTF-8 text, bounded, never credentials. The folder may be missing
 * when the server starts; it is looked for again at every call until it is there.
 */

import { type Jail, type JailOptions, openJail } from '../../exits/disk/jail.ts'
import type { Files } from '../../kernel/services.ts'

export interface FilesOptions extends Pick<JailOptions, 'onStep'> {
  /** Folder to read from; a relative one is taken from the working directory of the first call. */
  readonly root: string
  /** Larger files are refused, not cut. */
  readonly maxBytes: number
}

/** Holds a handle of the folder until it is closed. */
export interface OpenFiles extends Files {
  close(): Promise<void>
}

export const createFiles = ({ root, maxBytes, ...jailOptions }: FilesOptions): OpenFiles => {
  let jail: Promise<Jail> | undefined
  const opened = (): Promise<Jail> => {
    jail ??= openJail(root, jailOptions).catch((error: unknown) => {
      jail = undefined
      throw error
    })
    return jail
  }
  return {
    text: async (path) => (await opened()).readText(path, { maxBytes }),
    async close() {
      (await jail?.catch(() => undefined))?.close()
    },
  }
}
