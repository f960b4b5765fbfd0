/** The shapes of the whole catalogue, so that every server of the HTTP rows carries as many tools as the finished product. */

import * as z from 'zod'
import { outsideLine } from '../src/kernel/leaf.ts'
import { defineTool } from '../src/kernel/tool.ts'
import type { Tool } from '../src/kernel/tool.ts'

/** A tool without what it does: only `calculate` is ever called. */
export interface ToolShape {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
  readonly output: z.ZodObject
}

type Shape = Readonly<Record<string, z.ZodType>>

// What comes in.
const text = z.string().min(1).max(4_096)
const texts = z.array(text).max(100)
const anyText = z.string().max(4_096).default('')
const flag = z.boolean().default(false)
const whole = (otherwise: number) => z.int().min(0).max(10_000).default(otherwise)
const record = z.record(z.string(), z.unknown())

// What goes out.
const said = outsideLine(z.string())
const saidOrNot = outsideLine(z.string().nullable())
const details = outsideLine(z.record(z.string(), z.unknown()))
const [count, number, yes] = [z.int(), z.number(), z.boolean()]
const listOf = (shape: Shape) => z.array(z.strictObject(shape))

const CONTENT = { notice: said, metadata: details, content: said }
const MATCHES = { notice: said, query: said, match_count: count, truncated: yes, matches: listOf({ path: said, line: count, snippet: said }) }
const RAN = { notice: said, exit_code: count.nullable(), stdout: said, stderr: said, duration_ms: number, timed_out: yes, truncated: yes, redactions: count }
const SEARCH = { query: text, path_prefix: anyText, use_regex: flag }
const LINES = { path: text, start_line: whole(1), end_line: whole(0) }
const NEAREST = { collection: text, query: text, k: whole(10) }
const PREFIX = { path_prefix: anyText }
const TASK = { taskId: said, status: said }
const TASK_STATE = { ...TASK, result: details.nullable(), error: saidOrNot }
const WORKING_SET = { name: said, item_count: count, items: listOf({ kind: z.enum(['doc', 'repo_file']), identifier: said, note: said }) }

// biome-ignore format: a table reads best as a table
const SHAPES: Readonly<Record<string, readonly [input: Shape, output: Shape]>> = {
  calculate:         [{ expression: z.string().min(1).max(100_000) }, { result: number }],
  safe_fetch:        [{ url: text }, { status: count, content_type: saidOrNot, body: said }],
  read_file:         [{ path: text }, { content: said }],
  doc_search:        [SEARCH, MATCHES],
  doc_read:          [{ path: text }, CONTENT],
  doc_retrieve:      [{ url: text }, CONTENT],
  doc_scan:          [PREFIX, { notice: said, path_prefix: said, files_scanned: count, finding_count: count, truncated: yes, findings: listOf({ path: said, line: count, type: said, match: said }) }],
  doc_write:         [{ path: text, content: text, overwrite: flag }, { path: said, size: count, extension: said, created: yes }],
  sql_query:         [{ query: text, params: record.optional() }, CONTENT],
  vector_search:     [{ collection: text, embedding: z.array(number).max(4_096), k: whole(10) }, CONTENT],
  vector_query:      [NEAREST, CONTENT],
  hybrid_query:      [NEAREST, CONTENT],
  doc_index:         [{ collection: text, ...PREFIX }, { collection: said, files_indexed: count, chunks_written: count, chunks_reused: count, truncated: yes }],
  code_search:       [SEARCH, MATCHES],
  code_read:         [LINES, CONTENT],
  symbol_map:        [PREFIX, { notice: said, file_count: count, symbol_count: count, truncated: yes, symbols: listOf({ path: said, name: said, kind: said, line_start: count, line_end: count }) }],
  dependency_graph:  [PREFIX, { notice: said, edge_count: count, truncated: yes, edges: listOf({ source: said, target: said, external: yes }) }],
  code_explain:      [LINES, CONTENT],
  summarize_diff:    [{ diff: text }, { notice: said, summary: said }],
  rerank:            [{ query: text, candidates: texts, top_k: whole(5) }, { order: z.array(count), model_answered: yes }],
  run_snippet:       [{ code: text, stdin: anyText }, RAN],
  run_tests:         [PREFIX, RAN],
  pack_context:      [{ query: text, working_set: anyText, token_budget: whole(4_000) }, { notice: said, token_estimate: count, truncated: yes, redactions: count, snippets: listOf({ source: said, kind: said, span: said, sha256: said, retrieved_at: said, content: said }) }],
  workingset_get:    [{ name: text }, WORKING_SET],
  workingset_update: [{ name: text, action: z.enum(['pin', 'unpin', 'clear']), items: z.array(record).max(100).optional() }, WORKING_SET],
  scan_corpus_async: [PREFIX, TASK],
  task_get:          [{ task_id: text }, TASK_STATE],
  task_update:       [{ task_id: text, action: z.literal('cancel') }, TASK_STATE],
  task_list:         [{}, { tasks: listOf({ ...TASK, kind: said }) }],
  task_schedule:     [{ delay_seconds: number, payload: record.default({}), repeat_seconds: number.default(0) }, TASK],
  memory_store:      [{ namespace: text, content: text, metadata: record.default({}), id: anyText }, { id: said, status: z.enum(['created', 'unchanged', 'updated']) }],
  memory_search:     [{ namespace: text, query: text, k: whole(5) }, { notice: said, recall: z.enum(['keyword', 'semantic']), results: listOf({ id: said, snippet: said, score: number, metadata: details }) }],
  memory_list:       [{ namespace: text }, { namespace: said, entries: listOf({ id: said, metadata: details, created_at: said }) }],
  memory_delete:     [{ namespace: text, id: text }, { id: said, deleted: yes }],
  kv_set:            [{ key: text, value: text, ttl_seconds: whole(0) }, { key: said, expires_at: saidOrNot }],
  kv_get:            [{ key: text }, CONTENT],
  kv_delete:         [{ key: text }, { key: said, deleted: yes }],
  notify_webhook:    [{ url: text, payload: record }, { notice: said, status: count, response: said, truncated: yes }],
}

export const CATALOGUE_SIZE = Object.keys(SHAPES).length

/** That many shapes, `calculate` first; beyond the catalogue they begin again under other names. */
export function toolShapes(size: number): readonly ToolShape[] {
  const once = Object.entries(SHAPES)
  return Array.from({ length: Math.ceil(size / once.length) }, (_, turn) =>
    once.map(([name, [input, output]]): ToolShape => ({
      name: turn === 0 ? name : `${name}_${turn}`, title: name.replaceAll('_', ' '), description: `Has the shape of ${name}, and is there to be listed.`,
      input: z.strictObject(input), output: z.strictObject(output),
    })),
  ).flat().slice(0, size)
}

/** Tools that bring a server which has the tools of `present` up to `size`. */
export function fillingTools(present: ReadonlySet<string>, size: number): readonly Tool[] {
  return toolShapes(size + present.size).filter(({ name }) => !present.has(name)).slice(0, Math.max(0, size - present.size))
    .map(({ name, title, description, input, output }) => defineTool({
      name, title, summary: description, scope: 'tools:read', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, perMinute: 60,
      uses: [], input, output, examples: [], touches: () => [], run: neverCalled,
    }))
}

/** What every tool but `calculate` does. @throws Error */
export const neverCalled = (): never => {
  throw new Error('only calculate is called')
}
