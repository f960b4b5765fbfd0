/**
 * The thread that parses. It takes one file after the other, each with a deadline; a parser that failed is not used
 * again, so the thread ends and another takes its place.
 */

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { Language as Wasm, Parser, Query } from 'web-tree-sitter'
import { answerJobs } from '../../exits/process/job-thread.ts'
import type { Language, Outline } from '../../kernel/ports/symbols.ts'
import { extract } from './extract.ts'
import { GRAMMARS } from './grammars/index.ts'
import type { Job } from './jobs.ts'
import { plainDeclarations } from './macros.ts'

type Parsed = Exclude<Language, 'markdown'>

interface Loaded {
  readonly parser: Parser
  readonly query: Query
}

/** Beside a bundle, or beside the folder of services. */
const FOLDER = ['../grammars/', '../../grammars/'].map((place) => new URL(place, import.meta.url)).find((place) => existsSync(place))

const load = (name: string): Uint8Array<ArrayBuffer> => {
  if (FOLDER === undefined) throw new Error('the grammars are missing')
  return new Uint8Array(gunzipSync(readFileSync(fileURLToPath(new URL(`${name}.wasm.gz`, FOLDER)))))
}

let started: Promise<void> | undefined
const loaded = new Map<Parsed, Promise<Loaded>>()

const open = async (language: Parsed): Promise<Loaded> => {
  await (started ??= Parser.init({ wasmBinary: load('web-tree-sitter') }))
  const grammar = await Wasm.load(load(GRAMMARS[language].wasm))
  const parser = new Parser()
  parser.setLanguage(grammar)
  return { parser, query: new Query(grammar, GRAMMARS[language].query) }
}

const opened = (language: Parsed): Promise<Loaded> => {
  const known = loaded.get(language)
  if (known) return known
  const opening = open(language)
  loaded.set(language, opening)
  return opening
}

/** Headers are C unless they say otherwise. */
const CPP = /^[ \t]*(?:class[ \t]+\w+[^;]*$|namespace\b|template[ \t]*<|(?:public|private|protected)[ \t]*:|using[ \t]+\w)/m

/** The grammar of Kotlin wants something between a last declaration and a brace on its line. */
const BEFORE_BRACE = /(?<=[^\s{;,>$][ \t]{0,20})[ \t](?=\})/g

function parsable(text: string, language: Parsed): string {
  if (language === 'kotlin') return text.replace(BEFORE_BRACE, ';')
  return language === 'c' || language === 'cpp' ? plainDeclarations(text) : text
}

async function outlineOf({ text, language, deadlineMs }: Job): Promise<Outline> {
  const written: Parsed = language === 'c' && CPP.test(text) ? 'cpp' : language
  const { parser, query } = await opened(written)
  const end = performance.now() + deadlineMs
  let wasLate = false
  const isLate = (): boolean => (wasLate ||= performance.now() > end)
  const tree = parser.parse(parsable(text, written), null, { progressCallback: isLate })
  try {
    if (tree === null) parser.reset()
    const declarations = tree === null ? [] : extract(tree.rootNode, query, GRAMMARS[written], text, isLate)
    return wasLate || tree === null ? { declarations: [], problem: 'time' } : { declarations }
  } finally {
    tree?.delete()
  }
}

answerJobs(outlineOf)
