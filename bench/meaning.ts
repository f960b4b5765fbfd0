/** What each row measures, and the page that shows the last whole run of them. */

import type { Row } from './rounds.ts'
import { spelled } from './table.ts'

export const MEANING: Readonly<Record<string, string>> = {
  'inproc.call': 'a call of `calculate` through the library door, beside the SDK’s client and server in one process',
  'inproc.handler': 'the same beside the bare handler, which nothing guards: the price of the whole chain',
  'stdio.rps': 'calls over stdio in the handshake era, sixteen under way, beside the SDK’s server',
  'stdio.modern.rps': 'the same in the sessionless era',
  'http.modern.rps': 'authenticated calls over HTTP, every guard on, beside the SDK’s handler with the same 38 tools and no token to check',
  'http.modern.p99': 'the time within which 99 of 100 of these answers came',
  'http.auth.rps': 'the same beside the SDK’s handler with a verifier of tokens before it',
  'http.modern.echo': 'the same beside bare `node:http` that parses a body and answers as much',
  'http.legacy.rps': 'the same in the handshake era, beside the SDK’s handler',
  'http.guards': 'calls with every guard, the trail and the log, beside the same door without them',
  'http.guards.cpu': 'processor time of the server for such a call, all its threads together',
  'http.chain': 'calls with every guard but without trail and log, beside the same: what the chain alone costs',
  'http.scale': 'calls of 1,000 callers among 200 tools over a trail of 100,000 rows, beside one caller, the 38 tools and none',
  'start.list': 'from starting the process over stdio to the whole listing, beside an empty program and beside the reference file server',
  'start.rss': 'memory that the server then holds',
  'list.tokens': 'what a listing costs the model, for each tool',
  'search.literal': 'one search through a warm corpus, beside ripgrep on the same tree',
  'content.markdown': 'cleaning Markdown, beside parsing it and writing it again',
  'content.json': 'cleaning JSON, beside parsing it and writing it again',
  'content.text': 'cleaning plain text, beside decoding and encoding it',
  'secrets.scan': 'looking for credentials in prose and code, beside secretlint',
  'code-index.build': 'indexing 500 files of ten declarations, beside a plain full-text table',
  'code-index.query-p95': 'the time within which 95 of 100 questions to it are answered',
  'code-index.change': 'taking over one changed file',
  'code-index.memory': 'memory after 2,000 changes and questions, beside before',
  'kv.rps': 'writing and reading keys, beside bare SQLite statements',
  'memory.search.p95': 'the time within which 95 of 100 searches among 10,000 memories are answered, beside SQLite’s own full text',
  'run_snippet.subprocess': 'a snippet in a subprocess through the whole chain, beside the same program started bare',
  'run_snippet.sandbox': 'the same in the sandbox',
  'run_snippet.wasm': 'the same in the WebAssembly runner',
  'repo.literal': 'a literal search through a repository, beside ripgrep',
  'repo.regex': 'the same for a regular expression',
  'repo.symbols': 'source that is parsed for its declarations',
  'repo.imports': 'files whose imports are read',
  'pack.fill': 'files that the first `pack_context` takes into its index, of 50,000',
  'pack.p95': 'the time within which 95 of 100 later packs of that tree are made, beside one ripgrep over it',
  'pack.stale-p95': 'the same when the last look at the tree is old',
  'workspace.first': 'the first answer over a folder of 3,000 files that was never seen, beside ripgrep',
  'workspace.warm-p95': 'the time within which 95 of 100 later answers come, beside ripgrep',
  'workspace.answer': 'the largest of these answers',
}

/** The last whole run as a page. */
export function renderSpeed(rows: readonly Row[]): string {
  const lines = rows.map(({ id, ours, theirs, unit, baseline, ratio, n }) =>
    `| \`${id}\` | ${MEANING[id] ?? ''} | ${spelled(ours)} ${unit} | ${spelled(theirs)} (${baseline}) | ${ratio < 0.1 ? ratio.toPrecision(1) : ratio.toFixed(2)} × | ${n} |`)
  return `
# Speed

The last whole run of \`npm run bench\`, on two shared cores. Both sides of a row took turns in one run, so read the ratio:
above 1, Arrowhead is faster or smaller. \`npm run bench -- --only ID\` measures one row on your machine.

| id | what is measured | Arrowhead | beside | ratio | rounds |
|---|---|---|---|---|---|
${lines.join('\n')}
`
}
