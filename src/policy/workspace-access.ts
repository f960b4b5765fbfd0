/** The rules of a workspace as an authorizer for what another program may ask: reads are allowed, and a rule that denies outranks that. */

import type { Access } from '../kernel/access.ts'
import type { Authorizer } from '../kernel/authorizer.ts'
import { placeOf } from './workspace-place.ts'
import type { Ground } from './workspace-place.ts'
import { isDenied } from './workspace-rules.ts'
import type { Rule, RuledTool } from './workspace-rules.ts'

/** Tools by what they touch. What is not here is denied. */
const TOOL_OF: Readonly<Record<string, RuledTool>> = {
  'search repo_prefix': 'search_code', 'read repo_file': 'search_code', 'search app:session': 'list_sessions', 'read app:session': 'read_session', 'app:ask app:agent': 'ask_arrowhead',
}

/** Names change no meaning while a server runs, so what was judged once is remembered. */
const MAX_REMEMBERED = 100_000

const judged = new WeakMap<Ground, (path: string) => boolean>()

/** Whether a file of the workspace, by its path below it, is shown to nobody. Whoever asks about one ground shares what is remembered. */
export function hiddenFiles(ground: Ground): (path: string) => boolean {
  const found = judged.get(ground) ?? createJudge(ground)
  judged.set(ground, found)
  return found
}

function createJudge(ground: Ground): (path: string) => boolean {
  const known = new Map<string, boolean>()
  return (path) => {
    const found = known.get(path)
    if (found !== undefined) return found
    const place = placeOf([...ground.root, ...path.split('/')], ground)
    const isHidden = place !== 'inside' && place !== 'guarded'
    if (known.size >= MAX_REMEMBERED) known.clear()
    known.set(path, isHidden)
    return isHidden
  }
}

export function workspaceAuthorizer(rules: readonly Rule[], ground: Ground): Authorizer {
  const isHidden = hiddenFiles(ground)
  const allows = (access: Access): boolean => {
    const tool = TOOL_OF[`${access.action} ${access.kind}`]
    if (tool === undefined) return false
    const isFile = access.kind === 'repo_file'
    if (isFile && isHidden(access.id)) return false
    if (rules.length === 0) return true
    return !isDenied(rules, tool, [isFile ? [...ground.root, ...access.id.split('/')] : ground.root], ground)
  }
  return { allows: (_caller, access) => allows(access) }
}
