/** Wires this machine: its files under the path policy, its read-only programs, its repositories. Nothing is opened before its first use. */

import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Settings } from '../config/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Undo } from '../kernel/ports/local-files.ts'
import type { TextSearch } from '../kernel/ports/texts.ts'
import { refusal } from '../kernel/refusal.ts'
import type { Services } from '../kernel/services.ts'
import { judgeCommand } from '../policy/commands/judge-command.ts'
import { ownPlace } from '../policy/own-places.ts'
import type { OwnPlaces } from '../policy/own-places.ts'
import type { Security } from '../policy/security.ts'
import { spellPath } from '../policy/spell-path.ts'
import { CheckpointStore } from '../services/checkpoints/index.ts'
import { createCommands } from '../services/commands/index.ts'
import { textDiff } from '../services/consent/text-diff.ts'
import { createGit } from '../services/git/index.ts'
import { createHost } from '../services/host/index.ts'
import { createLocalFiles, createUndo } from '../services/local-files/index.ts'
import { matcherOf } from './path-matcher.ts'
import type { AppOptions } from './ports.ts'
import { securityOf, standpointOf } from './security.ts'

export interface Local {
  readonly services: Pick<Services, 'localFiles' | 'host' | 'commands' | 'git'>
  readonly undo: Undo
  readonly security: Security
  close(): Promise<void>
}

/** Of one file that is changed, copied or kept. */
const MAX_CHANGE_BYTES = 50_000_000
const COMMAND_WALL_MS = 20_000
const COMMAND_OUTPUT_BYTES = 200_000

/** @throws ConfigError for a security section that cannot be applied. */
export function openLocal(settings: Settings, { clock, options, search }: { readonly clock: Clock; readonly options: AppOptions; readonly search: TextSearch }): Local {
  const security = securityOf(settings, options)
  const { paths, standpoint, roots } = security
  const own = ownPlacesOf(settings, options)
  const judge = (names: readonly string[], use: 'read' | 'write', above: readonly string[]) => {
    const place = ownPlace([...above, ...names], use, own)
    if (place) return refusal(place === 'hidden' ? 'path.denied' : 'path.protected', 'that place is this program\u2019s own', 'own')
    const no = paths.judge(names, use, above)
    if (!no) return undefined
    return no.list === 'denyWrite' ? refusal('path.protected', undefined, no.list) : refusal('path.denied', undefined, no.list)
  }
  const checkpoints = new CheckpointStore(join(options.dataDir ?? settings.dataDir ?? join(standpoint.home, '.arrowhead'), 'checkpoints'), clock)
  const localFiles = createLocalFiles({
    roots, judge, checkpoints,
    spell: (path) => spellPath(path, standpoint),
    maxReadBytes: settings.readFileMaxBytes,
    maxChangeBytes: MAX_CHANGE_BYTES,
    tools: { pattern: matcherOf, search: (source, query, { signal }) => search.find(source, { text: query, regex: false }, { signal, progress: () => {} }).then(({ matches, truncated }) => ({ matches, truncated: truncated !== undefined })) },
  })
  const git = createGit({ localFiles, judge, diff: textDiff })
  return {
    security,
    services: { localFiles, host: createHost(), commands: commandsOf(security, localFiles), git },
    undo: createUndo({ ground: localFiles.ground, checkpoints, maxChangeBytes: MAX_CHANGE_BYTES }),
    async close() {
      await git.close()
      await localFiles.close()
      await checkpoints.close()
    },
  }
}

/** As they are written and as they are, since links may lead to them. */
export function ownPlacesOf(settings: Settings, options: AppOptions): OwnPlaces {
  const { cwd } = standpointOf(options)
  const namesOf = (path: string | undefined): readonly (readonly string[])[] => (path === undefined ? [] : [...new Set([resolve(cwd, path), realOf(resolve(cwd, path))])].map((one) => one.normalize('NFC').split('/').filter(Boolean)))
  return { hidden: namesOf(options.dataDir ?? settings.dataDir), kept: namesOf(options.configFile) }
}

/** Of a place that is not there yet, the path as it is written. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function commandsOf({ commands, shellAccess, standpoint }: Security, localFiles: Services['localFiles']): Services['commands'] {
  return createCommands({
    judge(argv) {
      if (!shellAccess) throw refusal('command.off', 'the operator can set security.default_shell_access')
      const verdict = judgeCommand(commands, argv)
      if (!verdict.ok) throw refusal('command.denied', 'only listed programs, options and operands are run', verdict.why)
      const { program, grammar: { places, sees = [], adds = [] }, args, files } = verdict
      return { program, places, sees, args: [...adds, ...args], files }
    },
    mayRead: (path) => localFiles.places(path, 'read'),
    cwd: standpoint.cwd, home: standpoint.home,
    wallMs: COMMAND_WALL_MS,
    maxOutputBytes: COMMAND_OUTPUT_BYTES,
  })
}
