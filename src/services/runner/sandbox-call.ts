/** How bubblewrap is called on this machine, by whoever the server is. */

import { readlinkSync } from 'node:fs'
import { findProgram } from '../../exits/process/find-program.ts'
import type { BorrowedUser } from '../../exits/process/own-user.ts'
import { bwrapArguments, throughOtherUser } from './bwrap-arguments.ts'
import type { SandboxPlan } from './bwrap-arguments.ts'
import { ONLY_FOR_SERVER } from './only-for-server.ts'

/** What stands before the limits and the program. `user` is whom root becomes; others stay who they are. */
export function sandboxCall(plan: SandboxPlan, user: BorrowedUser | undefined): readonly string[] {
  const inner = (seen: SandboxPlan): readonly string[] => [...ONLY_FOR_SERVER, ...bwrapArguments(seen, linkOf)]
  if (user) return throughOtherUser(plan, user.prefix, inner)
  const setpriv = findProgram('setpriv')
  return setpriv === undefined ? bwrapArguments(plan, linkOf) : [setpriv, '--pdeathsig', 'KILL', '--', ...inner(plan)]
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
