/** Opens the files of a workspace for its assistant: jailed, behind the walls, with every change written down or kept aside. */

import { join } from 'node:path'
import { openJail } from '../exits/disk/jail.ts'
import { refusal } from '../kernel/refusal.ts'
import type { TreeFiles } from '../kernel/ports/tree-files.ts'
import { spellPath } from '../policy/spell-path.ts'
import { placeOf } from '../policy/workspace-place.ts'
import type { Ground } from '../policy/workspace-place.ts'
import { isDenied } from '../policy/workspace-rules.ts'
import type { Mode, Rule } from '../policy/workspace-rules.ts'
import type { Clock } from '../kernel/clock.ts'
import { CheckpointStore } from '../services/checkpoints/index.ts'
import { createLocalFiles } from '../services/local-files/index.ts'
import type { OpenLocalFiles } from '../services/local-files/index.ts'
import { cleanMatcher } from '../services/repo/clean-matcher.ts'
import { cleanSource } from '../services/repo/clean-source.ts'
import type { FindSecrets } from '../services/repo/clean-source.ts'
import { createTreeFiles } from '../services/tree-files/index.ts'
import type { AgentWorld } from './agent-world.ts'
import { createConfinement } from './confinement.ts'
import type { Confinement } from './confinement.ts'
import { openOverlay } from './overlay.ts'
import { matcherOf } from './path-matcher.ts'
import { treeName } from './tree-name.ts'

export interface WorkspaceTree {
  readonly files: TreeFiles
  walls(): Promise<Confinement>
  close(): Promise<void>
}

export const MAX_CHANGE_BYTES = 20_000_000
/** Larger files are neither shown nor edited; of smaller ones a part can be asked for. */
const MAX_READ_BYTES = 2_000_000
const SEARCH_LIMITS = { maxFiles: 50_000, maxFileBytes: 2_000_000, maxReadBytes: 500_000_000, maxSnippetBytes: 100_000, timeoutMs: 20_000 }

export function openWorkspaceTree({ dataDir, cwd, ground, rules, clock, warn }: AgentWorld, { mode, dryRun }: { readonly mode: Mode; readonly dryRun: boolean }): WorkspaceTree {
  const jail = once(() => openJail(cwd))
  const walls = once(async () => createConfinement({ mode, rules, ground, jail: await jail() }))
  const checkpoints = openCheckpoints(dataDir, cwd, clock)
  let hidden = 0
  const local = openGroundFiles({ cwd, ground, rules, checkpoints, maxReadBytes: MAX_READ_BYTES, onHidden: () => void (hidden += 1) })
  const aside = dryRun ? openOverlay({ cwd, ground, carvedOut: [] }, dataDir) : undefined
  return {
    walls,
    files: createTreeFiles({
      files: local, root: cwd, aside, pattern: matcherOf,
      clean: async (text) => cleanSource(text, await secrets()).text,
      async shown(tool, paths) {
        const kept = await (await walls()).shown(tool, paths)
        const files = hidden + paths.length - kept.length
        hidden = 0
        // Silently for whoever asks: a number that moves with a question is an answer.
        if (files > 0) warn({ event: 'withheld', tool, files })
        return kept
      },
    }),
    async close() {
      await local.close()
      await checkpoints.close()
      await aside?.close()
      await jail.opened()?.then((one) => one.close(), () => {})
    },
  }
}

/** What runs over this workspace changed, and nothing of any other. */
export const openCheckpoints = (dataDir: string, cwd: string, clock: Pick<Clock, 'now'>): CheckpointStore =>
  new CheckpointStore(join(dataDir, 'workspace-checkpoints', treeName(cwd)), clock)

export interface GroundFilesParts {
  readonly cwd: string
  readonly ground: Ground
  readonly rules: readonly Rule[]
  readonly checkpoints: CheckpointStore
  readonly maxReadBytes: number
  /** Hears of each name that was passed over. */
  readonly onHidden?: () => void
}

/** The rules by name, asked of every path as it is written and as it really is. */
export function openGroundFiles({ cwd, ground, rules, checkpoints, maxReadBytes, onHidden = () => {} }: GroundFilesParts): OpenLocalFiles {
  return createLocalFiles({
    roots: [cwd], checkpoints, maxReadBytes, maxChangeBytes: MAX_CHANGE_BYTES,
    spell: (path) => spellPath(path, { home: '/', cwd }),
    judge(names, use) {
      const full = [...ground.root, ...names.filter((name) => name !== '.')]
      const place = placeOf(full, ground)
      if (place !== 'inside' && (place !== 'guarded' || use === 'write')) {
        onHidden()
        return refusal('access.denied', undefined, place)
      }
      return isDenied(rules, use, [full], ground) ? refusal('access.denied', undefined, 'rule') : undefined
    },
    tools: {
      pattern: matcherOf,
      async search(source, query, { signal, maxResults }) {
        const { createMatcher, searchTexts } = await import('../services/matcher/index.ts')
        const matcher = cleanMatcher(await createMatcher({ query, regex: false, caseFold: true, snippetMaxChars: 300, queryMaxChars: 1_000 }), await secrets())
        const { matches, truncated } = await searchTexts(source, matcher, { limits: { ...SEARCH_LIMITS, maxResults }, signal })
        return { matches, truncated: truncated !== undefined }
      },
    },
  })
}

/** The scanner, loaded with the first text. */
const secrets = once<FindSecrets>(async () => {
  const scanner = (await import('../services/secrets/index.ts')).createScanner()
  return (text) => scanner.scan(text)
})

type Once<T> = (() => Promise<T>) & { opened(): Promise<T> | undefined }

/** Opens with the first use, and again after a failure. */
function once<T>(open: () => Promise<T>): Once<T> {
  let held: Promise<T> | undefined
  const get = (): Promise<T> =>
    (held ??= open().catch((error: unknown) => {
      held = undefined
      throw error
    }))
  return Object.assign(get, { opened: () => held })
}
