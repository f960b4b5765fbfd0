/** Recall and precision of one list of declarations against another, and what differs, by kind. */

export interface Named {
  readonly name: string
  readonly kind: string
  readonly line: number
}

export class Score {
  /** Names in both. */
  hits = 0
  readonly missed = new Map<string, string[]>()
  readonly extra = new Map<string, string[]>()

  /** Every declaration counts once: by its name and the line that it stands in. */
  add(file: string, ours: readonly Named[], theirs: readonly Named[]): void {
    const left = new Map<string, Named[]>()
    for (const one of ours) {
      const key = `${one.line} ${one.name}`
      left.set(key, [...(left.get(key) ?? []), one])
    }
    for (const one of theirs) {
      if (left.get(`${one.line} ${one.name}`)?.pop()) this.hits += 1
      else note(this.missed, one, file)
    }
    for (const one of [...left.values()].flat()) note(this.extra, one, file)
  }

  get recall(): number {
    return this.hits / Math.max(1, this.hits + count(this.missed))
  }

  get precision(): number {
    return this.hits / Math.max(1, this.hits + count(this.extra))
  }
}

const count = (kinds: ReadonlyMap<string, readonly string[]>): number => [...kinds.values()].reduce((sum, all) => sum + all.length, 0)

function note(kinds: Map<string, string[]>, { kind, name, line }: Named, file: string): void {
  kinds.set(kind, [...(kinds.get(kind) ?? []), `${file}:${line} ${name}`])
}

export function report(language: string, against: string, files: number, score: Score, examples: number): string {
  const percent = (value: number): string => `${(value * 100).toFixed(2)} %`
  const lines = [`${language.padEnd(11)} recall ${percent(score.recall)}, precision ${percent(score.precision)}  (${score.hits + count(score.missed)} declarations, ${files} files, against ${against})`]
  for (const [what, kinds] of [['missed', score.missed], ['extra', score.extra]] as const) {
    for (const [kind, all] of [...kinds].sort((a, b) => b[1].length - a[1].length)) {
      lines.push(`    ${what} ${kind}: ${all.length}`, ...all.slice(0, examples).map((one) => `        ${one}`))
    }
  }
  return lines.join('\n')
}
