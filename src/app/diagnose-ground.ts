/** The checks behind `doctor` for what everything stands on: room on the disk, the documents' folder, and the clock. */

import { accessSync, constants, existsSync, readdirSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Settings } from '../config/index.ts'
import { askAt } from './diagnose-reach.ts'
import { fail, ok, said, warn } from './finding.ts'
import type { Finding } from './finding.ts'

/** Free bytes below which a busy server soon fills its disk, and below which SQLite may not end a transaction. */
const [LOW_BYTES, NO_BYTES] = [1_000_000_000, 50_000_000]
const LOW_FILES = 1_000

export const nearestExisting = (folder: string): string => (existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder)))

interface Room {
  readonly freeBytes: number
  /** Undefined where the file system does not count them. */
  readonly freeFiles: number | undefined
}

function roomOf(folder: string): Room {
  const { bavail, bsize, ffree, files } = statfsSync(nearestExisting(folder))
  return { freeBytes: bavail * bsize, freeFiles: files === 0 ? undefined : ffree }
}

/** @param room how much there is at a folder; a test gives its own. */
export function diagnoseDisk({ docsRoot, memoryRoot, docsS3Url, memoryDsn }: Settings, place: { readonly dataDir: string; readonly cwd: string }, room = roomOf): Finding {
  const folders = [place.dataDir, ...(docsS3Url === undefined ? [resolve(place.cwd, docsRoot)] : []), ...(memoryDsn === undefined ? [resolve(place.cwd, memoryRoot)] : [])]
  const rooms = folders.map((folder) => ({ folder, ...room(folder) }))
  const least = rooms.reduce((one, other) => (other.freeBytes < one.freeBytes ? other : one))
  const crowded = rooms.find(({ freeFiles = LOW_FILES }) => freeFiles < LOW_FILES)
  const next = 'make room, or move it: ARROWHEAD_DATA_DIR, ARROWHEAD_DOCS_ROOT, ARROWHEAD_MEMORY_ROOT; archives of the trail beside its file may go elsewhere'
  if (least.freeBytes < NO_BYTES) return fail(`the disk below ${least.folder} is full`, next)
  if (crowded !== undefined) return warn(`the file system below ${crowded.folder} has hardly a file left to give`, next)
  const free = `${Math.floor(least.freeBytes / 1_000_000)} MB free below ${least.folder}`
  return least.freeBytes < LOW_BYTES ? warn(`little room: ${free}`, next) : ok(free)
}

/** Opens the folder as a tool would; that it is missing is said by another check. */
export function diagnoseCorpus({ docsRoot, docsS3Url }: Settings, cwd: string): Finding {
  const folder = resolve(cwd, docsRoot)
  if (docsS3Url !== undefined || !existsSync(folder)) return ok('no folder of documents is looked at')
  try {
    readdirSync(folder)
  } catch (error) {
    return fail(`the documents cannot be read: ${said(error)}`, `set ARROWHEAD_DOCS_ROOT to a folder that the user of this process may read; now it is ${folder}`)
  }
  try {
    accessSync(folder, constants.W_OK)
    return ok('the documents can be read and written')
  } catch {
    return warn('the documents can be read and not written', `where doc_write is wanted, let the user of this process write ${folder}`)
  }
}

/** Tokens are refused beyond the first; below the second a whole second is all that a date says. */
const [FAR_MS, NEAR_MS] = [30_000, 5_000]

/** Compares this clock with that of a server which the settings name. */
export async function diagnoseClock({ oauthJwksUri, docsS3Url, serverPublicUrl, transport }: Settings, now: () => number = Date.now): Promise<Finding> {
  const url = oauthJwksUri ?? docsS3Url ?? (transport === 'http' ? serverPublicUrl : undefined)
  if (url === undefined) return ok('the settings name no server whose clock could be compared')
  const { host } = new URL(url)
  try {
    const sentAt = now()
    const { headers } = await askAt(url)
    const theirs = Date.parse(headers['date'] ?? '')
    if (Number.isNaN(theirs)) return ok(`${host} does not say what time it is`)
    const offMs = Math.abs((sentAt + now()) / 2 - theirs)
    if (offMs <= NEAR_MS) return ok(`the clock agrees with that of ${host}`)
    const what = `the clock is ${Math.round(offMs / 1_000)} seconds off that of ${host}`
    return offMs > FAR_MS ? fail(what, 'set the clock (NTP): tokens are refused as expired or not yet valid') : warn(what, 'set the clock (NTP)')
  } catch {
    return ok(`${host} cannot be asked for the time`)
  }
}
