/** What the assistant of a workspace may write as a path, and how a call says what it touches. */

import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import type { Access } from '../../kernel/access.ts'
import { refusal } from '../../kernel/refusal.ts'

export const treePath = z.string().min(1).max(4096).optional().describe('From the workspace; "." is the workspace itself.')

export const treePattern = z.string().min(1).max(1000).describe('A name with * and ?, or a path with **; below the path.')

/** @throws Refusal `path.invalid` for a call that names none: what it would touch could not be judged. */
export function named(path: string | undefined): string {
  if (path === undefined) throw refusal('path.invalid', 'name a path; "." is the workspace', 'no-path')
  return path
}

/** The path, for the walls of this tool; a pattern is judged beside it. */
export const within = (tool: string, path: string | undefined, pattern?: string): readonly Access[] => [
  access(`app:${tool}`, 'app:tree', named(path)),
  ...(pattern === undefined ? [] : [access(`app:${tool}`, 'app:pattern', pattern)]),
]
