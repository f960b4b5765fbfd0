/** Recall and precision of one list of declarations against another, and what differs, by kind. */

import { askClang } from './clang.ts'

export interface Named {
  readonly name: string
  readonly kind: string
  readonly line: number
}

interface Difference extends Named {
  readonly file: string
}

/** Blanks in the name of an operator are a way of writing. */
const keyOf = ({ line, name }: Named): string => `${line} ${name.startsWith('operator') ? name.replace(/\s+/g, '') : name}`

export class Score {
  /** Names in both. */
  hits = 0
  missed: readonly Difference[] = []
  extra: readonly Difference[] = []

  /** Every declaration counts once: by its name and the line that it stands in. */
  add(file: string, ours: readonly Named[], theirs: readonly Named[]): void {
    const left = new Map<string, Named[]>()
    for (const one of ours) {
      const key = keyOf(one)
      left.set(key, [...(left.get(key) ?? []), one])
    }
    const missed = theirs.filter((one) => left.get(keyOf(one))?.pop() === undefined)
    this.hits += theirs.length - missed.length
    this.missed = [...this.missed, ...missed.map((one) => ({ ...one, file }))]
    this.extra = [...this.extra, ...[...left.values()].flat().map((one) => ({ ...one, file }))]
  }

  get recall(): number {
    return this.hits / Math.max(1, this.hits + this.missed.length)
  }

  get precision(): number {
    return this.hits / Math.max(1, this.hits + this.extra.length)
  }

  /**
   * Lets clang judge the differences: what the oracle alone lists and is no declaration was not missed, what is listed
   * here alone and is one was right. @returns the settled score and how often clang decided what, or undefined.
   */
  settled(args: readonly string[]): { readonly score: Score; readonly told: string } | undefined {
    const files = [...new Set([...this.missed, ...this.extra].map(({ file }) => file))]
    const disputes = files.map((file) => [...this.missed, ...this.extra].filter((one) => one.file === file))
    const verdicts = askClang(files.map((file, at) => ({ file, args, disputes: disputes[at] ?? [] })))
    if (verdicts === undefined) return undefined
    const verdictOf = new Map(disputes.flatMap((all, file) => all.map((one, at) => [one, verdicts[file]?.[at]] as const)))
    const score = new Score()
    const [invented, right] = [this.missed.filter((one) => verdictOf.get(one) === false), this.extra.filter((one) => verdictOf.get(one) === true)]
    score.hits = this.hits + right.length
    score.missed = this.missed.filter((one) => !invented.includes(one))
    score.extra = this.extra.filter((one) => !right.includes(one))
    const undecided = [...this.missed, ...this.extra].filter((one) => verdictOf.get(one) === undefined).length
    const told = `    clang on ${this.missed.length + this.extra.length} differences: no declaration (${countsOf(invented)}), declared and not in the oracle (${countsOf(right)}), undecided ${undecided}`
    return { score, told }
  }
}

function byKind(all: readonly Difference[]): readonly (readonly [string, readonly Difference[]])[] {
  const kinds = new Map<string, Difference[]>()
  for (const one of all) kinds.set(one.kind, [...(kinds.get(one.kind) ?? []), one])
  return [...kinds].sort((a, b) => b[1].length - a[1].length)
}

const countsOf = (all: readonly Difference[]): string => byKind(all).map(([kind, some]) => `${kind} ${some.length}`).join(', ') || 'none'
const percent = (value: number): string => `${(value * 100).toFixed(2)} %`
const nameOf = (file: string): string => file.replace(/^.*\/oracle\//, '')

/** One line. */
export const summaryOf = (score: Score): string => `recall ${percent(score.recall)}, precision ${percent(score.precision)}`

export function report(language: string, against: string, files: number, score: Score, examples: number): string {
  const lines = [`${language.padEnd(11)} ${summaryOf(score)}  (${score.hits + score.missed.length} declarations, ${files} files, against ${against})`]
  for (const [what, all] of [['missed', score.missed], ['extra', score.extra]] as const) {
    for (const [kind, some] of byKind(all)) {
      lines.push(`    ${what} ${kind}: ${some.length}`, ...some.slice(0, examples).map(({ file, line, name }) => `        ${nameOf(file)}:${line} ${name}`))
    }
  }
  return lines.join('\n')
}
