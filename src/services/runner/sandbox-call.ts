/** How bubblewrap is called on this machine, by whoever the server is. */

import { readlinkSync } from 'node:fs'
import type { BorrowedUser } from '../../exits/process/own-user.ts'
import { bwrapArguments, throughOtherUser } from './bwrap-arguments.ts'
import type { SandboxPlan } from './bwrap-arguments.ts'

/** What stands before the limits and the program. `user` is whom root becomes; others stay who they are. */
export function sandboxCall(plan: SandboxPlan, user: BorrowedUser | undefined): readonly string[] {
  const inner = (seen: SandboxPlan): readonly string[] => bwrapArguments(seen, linkOf)
  return user === undefined ? inner(plan) : throughOtherUser(plan, user.prefix, inner)
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
