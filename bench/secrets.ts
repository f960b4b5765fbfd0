/** The credential scanner on the prose and code of this repository, beside secretlint with its recommended rules. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lintSource } from '@secretlint/core'
import { secretLintProfiler } from '@secretlint/profiler'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import { createScanner } from '../src/services/secrets/index.ts'
import { compared, takeTurns } from './rounds.ts'
import type { Bench, Row } from './rounds.ts'

const FOLDERS = ['src', 'docs', 'test']
/** One text in so many gets a token, so that both have something to find. */
const PLANTED_EVERY = 10
const TOKEN = ['gh', 'p_', '2jwTIUNKWRODsp', '2ZdrNVbDnqTFemRYkOk0bE'].join('')

interface Text {
  readonly content: string
  readonly hasToken: boolean
}

function readTexts(): readonly Text[] {
  const files = FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
    .filter((file) => /\.(?:ts|md|json)$/.test(file)).sort()
  return files.map((file, index) => {
    const hasToken = index % PLANTED_EVERY === 0
    return { content: readFileSync(file, 'utf8') + (hasToken ? `\nsee ${TOKEN} in the log\n` : ''), hasToken }
  })
}

type Finds = (content: string) => Promise<readonly (readonly [start: number, end: number])[]>

/** Megabytes of UTF-16 units a second. @throws Error if a token is not found at its place. */
async function throughput(texts: readonly Text[], sliceMs: number, finds: Finds): Promise<number> {
  const started = performance.now()
  for (let chars = 0; ;) {
    for (const { content, hasToken } of texts) {
      const found = await finds(content)
      if (hasToken && !found.some(([start, end]) => content.slice(start, end) === TOKEN)) throw new Error('a planted token was not found')
      chars += content.length
      const elapsed = performance.now() - started
      if (elapsed >= sliceMs) return chars / elapsed / 1_000
    }
  }
}

// It keeps a record of every call and searches it at the next one, so that a process with many calls comes to a stand.
Object.assign(secretLintProfiler, { mark: () => {} })

const scanner = createScanner()
const ours: Finds = async (content) => scanner.scan(content).map(({ start, end }) => [start, end] as const)

const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }] }
const theirs: Finds = async (content) => {
  const { messages } = await lintSource({ source: { filePath: '/text.txt', ext: '.txt', contentType: 'text', content }, options: { config } })
  return messages.map(({ range: [start, end] }) => [start, end] as const)
}

export const secretScan: Bench = {
  ids: ['secrets.scan'],
  async run({ rounds, sliceMs }): Promise<readonly Row[]> {
    const texts = readTexts()
    const turns = { ours: () => throughput(texts, sliceMs, ours), theirs: () => throughput(texts, sliceMs, theirs) }
    await takeTurns(1, turns)
    return [compared({ id: 'secrets.scan', baseline: 'secretlint', unit: 'MB/s', better: 'more', ...(await takeTurns(rounds, turns)) })]
  },
}
