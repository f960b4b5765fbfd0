/** Every line of the shared protocol cases, over real sockets. */

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runMcpProtocolCase } from '../../../test/cases/mcp-protocol.ts'
import type { McpProtocolCase } from '../../../test/cases/mcp-protocol.ts'

const file = new URL('../../../../shared/cases/mcp-protocol.jsonl', import.meta.url)
const lines: readonly McpProtocolCase[] = existsSync(file)
  ? readFileSync(file, 'utf8').split('\n').filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as McpProtocolCase)
  : []

/** Wants a call before `initialize` to be refused. Without sessions there is nothing to know that from. */
const NEEDS_SESSIONS: ReadonlySet<string> = new Set(['mcp-protocol-094'])

describe('MCP protocol cases over HTTP', () => {
  it.skipIf(lines.length === 0)('finds cases of both kinds (skipped where the shared cases are absent)', () => {
    expect(new Set(lines.map((line) => line.expect))).toEqual(new Set(['allow', 'refuse']))
  })

  it.each(lines.map((line) => [line.id, line.expect, line.note, line] as const))('%s: %s, %s', async (id, _expect, _note, line) => {
    const verdict = await runMcpProtocolCase(line)
    expect(verdict).toEqual({ right: !NEEDS_SESSIONS.has(id), got: verdict.got })
  })
})
