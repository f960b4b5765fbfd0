/** Texts of files as they may be shown, kept while the index holds the file that they are of. */

const MAX_TEXTS = 256
const MAX_CHARS = 8_000_000

export interface KeptTexts {
  /** Reads by `load` what is not kept for this state of the file. */
  lines(path: string, state: string, load: () => Promise<string | undefined>): Promise<readonly string[] | undefined>
}

interface Kept {
  readonly state: string
  readonly chars: number
  readonly lines: readonly string[]
}

export function createKeptTexts(): KeptTexts {
  const kept = new Map<string, Kept>()
  let chars = 0
  const drop = (path: string): void => {
    chars -= kept.get(path)?.chars ?? 0
    kept.delete(path)
  }
  return {
    async lines(path, state, load) {
      const found = kept.get(path)
      if (found?.state === state) {
        // The one that was asked last leaves last.
        kept.delete(path)
        kept.set(path, found)
        return found.lines
      }
      const text = await load()
      drop(path)
      if (text === undefined) return undefined
      const lines = text.split('\n')
      kept.set(path, { state, chars: text.length, lines })
      chars += text.length
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_TEXTS && chars <= MAX_CHARS) break
        drop(oldest)
      }
      return lines
    },
  }
}
