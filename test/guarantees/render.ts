/** Prints pages out of the list of promises and the chain, so that neither page can say what the code does not. */

import { chain } from '../../src/guard/chain.ts'
import type { GuardDeps } from '../../src/guard/deps.ts'
import type { Step } from '../../src/guard/run.ts'
import * as admit from '../../src/guard/steps/admit.ts'
import * as release from '../../src/guard/steps/release.ts'
import * as watch from '../../src/guard/steps/watch.ts'
import type { Kind } from '../../src/kernel/call.ts'
import type { Guarantee, Keeper } from './guarantees.ts'

const UP = '../..'

/** Where the promises of an area are proven. */
export const proofFile = (id: string): string => `test/guarantees/proofs/${areaOf(id)}.ts`

const areaOf = (id: string): string => id.slice(0, id.indexOf('.'))

const link = (text: string, path: string): string => `[${text}](${UP}/${path})`

const keeper = (keptBy: Keeper): string =>
  'row' in keptBy ? `${link(`\`${keptBy.row}\``, 'src/guard/chain.ts')} in the chain` : link(`\`${keptBy.place}\``, keptBy.place)

/** The page `docs/explain/threat-model.md`. */
export function renderThreatModel(guarantees: readonly Guarantee[]): string {
  const rows = guarantees.map(({ id, promise, keptBy }) => `| \`${id}\` | ${promise} | ${keeper(keptBy)} | ${link(areaOf(id), proofFile(id))} |`)
  return [
    '# Threat model',
    [
      'Callers are hostile: a model does what the last text it read told it to. So every call, whoever makes it, comes in by a door,',
      'runs one [chain of guards](guards.md), and touches the world only through an exit. This page lists what that promises.',
    ].join('\n'),
    [
      'Each promise has a test. Where a row of the chain keeps it, the same test is run a second time with that row taken out, and must fail:',
      'a promise that would hold anyway proves nothing about its guard. A promise without a proof, or a proof of something that is not',
      'promised, fails the build. What is not on this page is not promised.',
    ].join('\n'),
    ['| Id | Promise | Kept by | Proof |', '|---|---|---|---|', ...rows].join('\n'),
    [
      '## Not promised',
      '',
      '- A tool that blocks the event loop is not stopped: the deadline answers for work that waits, not for work that spins.',
      '- Text from outside is marked as data. Whether a model honours the mark is up to the model.',
      '- Whoever can write the data directory can replace the trail; an audit key, and heads in a log elsewhere, make that visible.',
      '- A user\'s own tool is code of this process: the chain guards its calls, not what its author wrote.',
    ].join('\n'),
  ].join('\n\n').concat('\n')
}

const KINDS: readonly Kind[] = ['tool', 'resource', 'prompt', 'completion', 'listing']

const PHASES: readonly (readonly [keyof typeof chain, string])[] = [
  ['watch', 'Around the call. A watcher sees every outcome and decides none.'],
  ['admit', 'Before the handler, in this order. The first refusal or question ends the call; what a row holds is given back at the end.'],
  ['release', 'After the handler, in this order. Each row rewrites the answer, or ends the call.'],
]

/** Names as they are exported: a bundler may rename a function, but not an export. */
const NAMES: ReadonlyMap<unknown, string> = new Map([watch, admit, release].flatMap((steps) => Object.entries(steps).map(([name, guard]) => [guard, name])))

/** The page `docs/explain/guards.md`. */
export function renderGuards(): string {
  const phases = PHASES.map(([phase, says]) => [`## ${phase}`, says, table(chain[phase])].join('\n\n'))
  return [
    '# Guards',
    [
      'The one chain that every call runs, through every door, from top to bottom. A blank is a hole: that kind of call does not run the row.',
      'Order is a security property; [a test](../../test/pins/chain.test.ts) holds a second copy of it.',
    ].join('\n'),
    [
      'Before the chain a name is resolved in the view of its caller: what the caller may not see (unknown, out of scope or switched off) is',
      'not there, and `known` gives it one answer and one rate.',
    ].join('\n'),
    ...phases,
  ].join('\n\n').concat('\n')
}

const table = (steps: readonly Step<unknown, GuardDeps>[]): string =>
  [
    `| Row | ${KINDS.join(' | ')} | Promise |`,
    `|---|${KINDS.map(() => ':-:').join('|')}|---|`,
    ...steps.map(({ guard, kinds, promise }) => `| \`${NAMES.get(guard)}\` | ${KINDS.map((kind) => (kinds.includes(kind) ? '●' : ' ')).join(' | ')} | ${promise} |`),
  ].join('\n')
