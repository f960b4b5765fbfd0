/** How bubblewrap is called on this machine, by whoever the server is. */

import { readlinkSync } from 'node:fs'
import { findProgram } from '../../exits/process/find-program.ts'
import type { BorrowedUser } from '../../exits/process/own-user.ts'
import { bwrapArguments, throughOtherUser } from './bwrap-arguments.ts'
import type { SandboxPlan } from './bwrap-arguments.ts'
import { ONLY_FOR_SERVER, WHILE_SERVER_LIVES } from './only-for-server.ts'

/** What stands before the limits and the program. `user` is whom root becomes; others stay who they are. */
export function sandboxCall(plan: SandboxPlan, user: BorrowedUser | undefined): readonly string[] {
  const setpriv = findProgram('setpriv')
  const withServer = setpriv === undefined ? [] : [setpriv, '--pdeathsig', 'KILL', '--', ...ONLY_FOR_SERVER]
  if (user) return throughOtherUser(plan, withServer, user.prefix, (seen) => [...WHILE_SERVER_LIVES, ...bwrapArguments(seen, linkOf)])
  return [...withServer, ...bwrapArguments(plan, linkOf)]
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
