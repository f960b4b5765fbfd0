/** Runs the lines of the path cases: builds their tree, reads or lists below its root, and judges the outcome. */

import { execFileSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openJail } from '../../src/exits/disk/jail.ts'
import { Refusal, refusalText } from '../../src/kernel/refusal.ts'
import { createFiles } from '../../src/services/files/read-only-files.ts'
import type { Case, Verdict } from './case.ts'

/** Kind, place below the base folder, and content, link target or size. */
export type FixtureEntry = readonly [kind: string, place: string, content: string | number]

export interface PathFixture {
  /** Name of the jail's root below the base folder. */
  readonly root: string
  readonly entries: readonly FixtureEntry[]
}

export interface PathInput {
  readonly path: string
  readonly op: 'read' | 'list'
  /** What stands in the place of an entry between the check and the open; the spelling varies. */
  readonly swap?: unknown
}

export interface PathCase extends Case<PathInput> {
  /** Text that a right read returns. */
  readonly contains?: string
}

const MAX_BYTES = 1_000_000

const place = (base: string, [kind, path, content]: FixtureEntry): void => {
  const at = join(base, path)
  mkdirSync(dirname(at), { recursive: true })
  if (kind === 'file') writeFileSync(at, String(content))
  else if (kind === 'dir' || kind === 'folder') mkdirSync(at, { recursive: true })
  else if (kind === 'symlink') symlinkSync(String(content), at)
  else if (kind === 'hardlink') linkSync(join(base, String(content)), at)
  else if (kind === 'fifo') execFileSync('mkfifo', [at])
  else if (kind === 'sparse') {
    writeFileSync(at, '')
    truncateSync(at, Number(content))
  } else throw new Error(`fixture kind ${kind} is not known`)
}

/** Builds the tree below `baseDir`. @returns the path of the root. */
export const buildPathFixture = ({ root, entries }: PathFixture, baseDir: string): string => {
  for (const entry of entries) place(baseDir, entry)
  return join(baseDir, root)
}

interface Outcome {
  readonly is: 'allow' | 'refuse' | 'fault'
  readonly text: string
}

const read = async (path: string, root: string, onStep: () => void): Promise<string> => {
  const files = createFiles({ root, maxBytes: MAX_BYTES, onStep })
  return files.text(path).finally(() => files.close())
}

const list = async (path: string, root: string, onStep: () => void): Promise<string> => {
  const jail = await openJail(root, { onStep })
  const entries = await jail.list(path).finally(() => jail.close())
  return entries.map((entry) => entry.name).join('\n')
}

const attempt = async ({ path, op }: PathInput, root: string, onStep = () => {}): Promise<Outcome> => {
  try {
    return { is: 'allow', text: await (op === 'read' ? read : list)(path, root, onStep) }
  } catch (error) {
    return error instanceof Refusal ? { is: 'refuse', text: refusalText(error) } : { is: 'fault', text: String(error) }
  }
}

const isRight = (line: PathCase, { is, text }: Outcome): boolean => {
  if (is !== line.expect) return line.alsoOk?.includes(is) ?? false
  if (is !== 'allow' || line.contains === undefined) return true
  return line.contains === '' ? text === '' : text.includes(line.contains)
}

const shown = ({ is, text }: Outcome): string => `${is}: ${text.slice(0, 100)}`

const isEntry = (swap: unknown): swap is FixtureEntry => Array.isArray(swap) && typeof swap[0] === 'string'

/** An entry in the fixture's own form, a list of them, or an object with a kind, a place and a target. */
const parseSwap = (swap: unknown, input: PathInput): readonly FixtureEntry[] => {
  if (typeof swap === 'string') return [['symlink', input.path, swap]]
  if (isEntry(swap)) return [swap]
  if (Array.isArray(swap)) return swap.flatMap((one) => parseSwap(one, input))
  if (typeof swap !== 'object' || swap === null) throw new Error('the swap is not understood')
  const said = new Map<string, unknown>(Object.entries(swap))
  const first = (...names: readonly string[]): unknown => names.map((name) => said.get(name)).find((one) => one != null)
  const content = first('target', 'to', 'with', 'content', 'link')
  if (Array.isArray(content)) return parseSwap(content, input)
  if (typeof content !== 'string') throw new Error('the swap is not understood')
  const kind = first('kind', 'type') ?? 'symlink'
  return [[String(kind), String(first('path', 'at', 'entry', 'replace', 'from') ?? input.path), content]]
}

/** Puts entries in the place of what is there. @returns what takes them away again. */
const swapIn = (entries: readonly FixtureEntry[], root: string): (() => void) => {
  const base = dirname(root)
  const undo = entries.map(([kind, path, content], index) => {
    const below = path.startsWith(`${basename(root)}/`) ? path : `${basename(root)}/${path}`
    const at = join(base, below)
    const aside = join(base, `.aside-${index}`)
    const hadOne = existsSync(at)
    if (hadOne) renameSync(at, aside)
    place(base, [kind, below, content])
    return () => {
      rmSync(at, { recursive: true, force: true })
      if (hadOne) renameSync(aside, at)
    }
  })
  return () => { for (const one of undo.reverse()) one() }
}

/**
 * Swaps before the first look, then before the second, and so on until the read is over. From the second on,
 * the content of before the swap is right as well: it is what was checked.
 */
const runSwapCase = async (line: PathCase, root: string): Promise<Verdict> => {
  const entries = parseSwap(line.input.swap, line.input)
  const before = await attempt(line.input, root)
  for (let at = 0; ; at += 1) {
    let steps = 0
    let restore: (() => void) | undefined
    const outcome = await attempt(line.input, root, () => {
      if (steps === at) restore = swapIn(entries, root)
      steps += 1
    })
    restore?.()
    if (restore === undefined) return { right: at > 0, got: at > 0 ? `right in ${at} races` : 'nothing was swapped' }
    const isOld = at > 0 && outcome.is === before.is && outcome.text === before.text
    if (!isOld && !isRight(line, outcome)) return { right: false, got: `swap ${at}: ${shown(outcome)}` }
  }
}

/** @param root as returned by {@link buildPathFixture}; it is unchanged afterwards. */
export const runPathCase = async (line: PathCase, root: string): Promise<Verdict> => {
  if (line.input.swap !== undefined) return runSwapCase(line, root)
  const outcome = await attempt(line.input, root)
  return { right: isRight(line, outcome), got: shown(outcome) }
}
