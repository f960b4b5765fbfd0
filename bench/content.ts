/** The content boundary on this project's own documents, beside the least that any cleaner must do: read it and write it again. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown, gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown } from 'mdast-util-to-markdown'
import { gfm } from 'micromark-extension-gfm'
import { createSanitiser } from '../src/services/content/index.ts'
import { compared, takeTurns } from './rounds.ts'
import type { Bench, Effort, Row } from './rounds.ts'

type Kind = 'markdown' | 'json' | 'text'

const readAll = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => ending.test(name)).sort().map((name) => readFileSync(join(folder, name), 'utf8'))

const TEXTS: Readonly<Record<Kind, () => readonly string[]>> = {
  markdown: () => readAll('docs', /\.md$/),
  json: () => [...readAll('docs', /\.json$/), ...readAll('test/golden', /\.json$/), readFileSync('package-lock.json', 'utf8')],
  text: () => readAll('src', /\.ts$/),
}

const FLOOR: Readonly<Record<Kind, (text: string) => string>> = {
  markdown: (text) => toMarkdown(fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }), { extensions: [gfmToMarkdown()] }),
  json: (text) => JSON.stringify(JSON.parse(text)),
  text: (text) => text.normalize('NFC'),
}
const BASELINES: Readonly<Record<Kind, string>> = { markdown: 'mdast, once', json: 'JSON.parse', text: 'normalize' }

/** Megabytes of UTF-16 units a second. */
async function throughput(texts: readonly string[], sliceMs: number, clean: (text: string) => string | Promise<string>): Promise<number> {
  const started = performance.now()
  for (let chars = 0; ; ) {
    for (const text of texts) {
      await clean(text)
      chars += text.length
      const elapsed = performance.now() - started
      if (elapsed >= sliceMs) return chars / elapsed / 1_000
    }
  }
}

async function measure(kind: Kind, { rounds, sliceMs }: Effort): Promise<Row> {
  const texts = TEXTS[kind]()
  // A fresh one each time: what was rebuilt lately is remembered, and that is not what is measured.
  const ours = () => throughput(texts, sliceMs, (text) => createSanitiser().clean(text, kind))
  const theirs = () => throughput(texts, sliceMs, FLOOR[kind])
  await takeTurns(1, { ours, theirs })
  return compared({ id: `content.${kind}`, baseline: BASELINES[kind], unit: 'MB/s', better: 'more', ...(await takeTurns(rounds, { ours, theirs })) })
}

const KINDS = Object.keys(TEXTS) as readonly Kind[]

export const contentClean: Bench = {
  ids: KINDS.map((kind) => `content.${kind}`),
  async run(effort) {
    const rows: Row[] = []
    for (const kind of KINDS) rows.push(await measure(kind, effort))
    return rows
  },
}
