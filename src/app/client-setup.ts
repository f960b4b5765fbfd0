/** Setting up MCP clients: one entry added to a client's file, taken out again, or the whole change undone. */

import { ClientFileError, CLIENTS, type Client, createBackups, cursorLink, entryIn, lineDiff, readClientText, sha256Of, type Target, vscodeLink, withEntry, withoutEntry } from '../services/client-files/index.ts'
import { checkWritable, MAX_CLIENT_FILE_BYTES, missingFolders, readClientFile, removeEmptyFolders, replaceClientFile, type Unfit, UnfitFile } from '../exits/disk/client-file.ts'

export { ClientFileError, CLIENTS }
export type { Client, Target }

export interface ClientPlace {
  readonly client: Client
  /** Absolute. */
  readonly file: string
  readonly entryName: string
}

export interface ClientChange {
  /** Lines with a sign; empty where nothing changes. */
  readonly diff: readonly string[]
  /** Where the bytes of before are kept; undefined where nothing was written. */
  readonly backup: string | undefined
}

export interface ChangeOptions {
  readonly dataDir: string
  /** Makes a file that is not there. */
  readonly create: boolean
  /** Works out the change and leaves the file. */
  readonly dryRun: boolean
}

export type ClientState = 'added' | 'not added' | 'no file' | 'not readable'

/** Whether the client has the entry. Never throws for what a file holds. */
export function clientState(place: ClientPlace): { readonly state: ClientState; readonly why?: string } {
  try {
    const bytes = readClientFile(place.file)
    if (!bytes) return { state: 'no file' }
    return { state: entryIn(place, readClientText(place.client, bytes)) === undefined ? 'not added' : 'added' }
  } catch (error) {
    return { state: 'not readable', why: whyOf(error).message }
  }
}

/** The entry as the client's file would have it, for whoever puts it there by hand. @throws ClientFileError. */
export function shownEntry({ client, entryName }: Omit<ClientPlace, 'file'>, target: Target): string {
  const text = new TextDecoder().decode(withEntry({ client, entryName }, readClientText(client, new Uint8Array()), target))
  return text.trim()
}

/** Links that add the entry by a click, where the client has such links. */
export function entryLinks({ client, entryName }: Omit<ClientPlace, 'file'>, target: Target): readonly string[] {
  const entry = client.entry(target, {})
  if (typeof entry === 'string') return []
  if (client.name === 'cursor') return [cursorLink(entryName, entry)]
  return client.name === 'vscode' ? [vscodeLink(entryName, entry)] : []
}

/** @throws ClientFileError; then the file is as it was. */
export const addEntry = (place: ClientPlace, target: Target, options: ChangeOptions): ClientChange =>
  change(place, options, (read) => withEntry(place, read, target))

/** @throws ClientFileError; then the file is as it was. */
export const removeEntry = (place: ClientPlace, options: ChangeOptions): ClientChange => change(place, options, (read) => withoutEntry(place, read))

function change(place: ClientPlace, { dataDir, create, dryRun }: ChangeOptions, edit: (read: ReturnType<typeof readClientText>) => Uint8Array): ClientChange {
  try {
    const { file, client } = place
    const before = readClientFile(file)
    if (!before && !create) throw new UnfitFile('missing')
    const read = readClientText(client, before ?? new Uint8Array())
    const after = edit(read)
    const diff = lineDiff(read.text, new TextDecoder().decode(after))
    if (diff.length === 0) return { diff, backup: undefined }
    checkWritable(file)
    if (dryRun) return { diff, backup: undefined }
    const madeFolders = missingFolders(file)
    const backups = createBackups(dataDir)
    const backup = backups.push({ file, before, afterSha256: sha256Of(after), madeFolders })
    try {
      replaceClientFile({ file, before, after })
    } catch (error) {
      backups.drop(file)
      throw error
    }
    return { diff, backup }
  } catch (error) {
    throw whyOf(error)
  }
}

/** Makes the file what it was before the newest change. @throws ClientFileError where something else changed it since. */
export function undoChange({ file }: Pick<ClientPlace, 'file'>, { dataDir, dryRun }: Omit<ChangeOptions, 'create'>): ClientChange {
  try {
    const backups = createBackups(dataDir)
    const kept = backups.newest(file)
    if (!kept) throw new ClientFileError('no change of it is kept here')
    const now = readClientFile(file)
    if (now === undefined || sha256Of(now) !== kept.afterSha256) throw new ClientFileError('it was changed since; `client remove` takes the entry alone out')
    const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes ?? new Uint8Array())
    const diff = lineDiff(text(now), text(kept.before))
    checkWritable(file)
    if (dryRun) return { diff, backup: undefined }
    replaceClientFile({ file, before: now, after: kept.before })
    if (!kept.before) removeEmptyFolders(kept.madeFolders)
    backups.drop(file)
    return { diff, backup: undefined }
  } catch (error) {
    throw whyOf(error)
  }
}

const MEBIBYTE = 1_048_576

const WHY: Readonly<Record<Unfit, string>> = {
  missing: 'it is not there; --create makes it',
  link: 'it is a link; name the file itself with --file',
  'not-a-file': 'it is no regular file',
  'read-only': 'it is read-only',
  'too-large': `it is larger than ${MAX_CLIENT_FILE_BYTES / MEBIBYTE} MiB`,
  unreadable: 'it cannot be read',
  changed: 'it was changed in the meantime; try again',
}

function whyOf(error: unknown): ClientFileError {
  if (error instanceof ClientFileError) return error
  if (error instanceof UnfitFile) return new ClientFileError(error.leadsTo === undefined ? WHY[error.why] : `it is a link to ${JSON.stringify(error.leadsTo)}; name the file itself with --file`)
  const { code } = error as { code?: unknown }
  if (typeof code === 'string') return new ClientFileError(`it cannot be written (${code})`)
  throw error
}
