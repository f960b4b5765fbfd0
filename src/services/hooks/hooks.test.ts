import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHooks, parseHooks } from './index.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'arrowhead-hooks-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const program = (name: string, body: string): string => {
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${body}\n`)
  chmodSync(file, 0o755)
  return file
}
const EVENT = { tool: 'write', args: { path: 'a; touch x', text: '$(id)' }, sessionId: 's1', workspace: '/w' }
const signal = new AbortController().signal

function hooksOf(raw: unknown, faults: string[] = []) {
  const parsed = parseHooks(raw)
  if (!parsed.ok) throw new TypeError(parsed.problems.join())
  return createHooks(parsed.hooks, (problem) => faults.push(problem))
}

describe('a hook before a call', () => {
  it('reads what happens as JSON, and lets the call run by ending well', async () => {
    const hooks = hooksOf({ preToolUse: [{ command: [program('see', `cat > ${folder}/seen; env > ${folder}/env`)] }] })
    expect(await hooks.before(EVENT, signal)).toBe(true)
    expect(JSON.parse(readFileSync(join(folder, 'seen'), 'utf8'))).toEqual({ event: 'preToolUse', ...EVENT })
    expect(readFileSync(join(folder, 'env'), 'utf8')).not.toMatch(/HOME|ARROWHEAD|TOKEN/)
  })

  it.each(['exit 1', 'exit 2', 'kill -9 $$', 'sleep 5', 'yes'])('vetoes by everything else: %s', async (body) => {
    const faults: string[] = []
    expect(await hooksOf({ preToolUse: [{ command: [program('no', body)], timeoutMs: 300 }] }, faults).before(EVENT, signal)).toBe(false)
  })

  it('vetoes when it is not there', async () => {
    const faults: string[] = []
    expect(await hooksOf({ preToolUse: [{ command: [join(folder, 'nothing')] }] }, faults).before(EVENT, signal)).toBe(false)
    expect(faults).toEqual(['a hook could not be started'])
  })

  it('is asked for the tools that it names, and nobody is asked after a no', async () => {
    const hooks = hooksOf({ preToolUse: [{ tools: ['edit'], command: [program('other', `touch ${folder}/other.ran`)] }, { tools: ['write'], command: ['/bin/false'] }, { command: [program('late', `touch ${folder}/late.ran`)] }] })
    expect(await hooks.before(EVENT, signal)).toBe(false)
    expect(existsSync(join(folder, 'late.ran'))).toBe(false)
    expect(await hooks.before({ ...EVENT, tool: 'read' }, signal)).toBe(true)
    expect(existsSync(join(folder, 'other.ran'))).toBe(false)
    expect(existsSync(join(folder, 'late.ran'))).toBe(true)
  })
})

it('a hook after a call hears what it came to, and its failure is nobody’s', async () => {
  const hooks = hooksOf({ postToolUse: [{ command: ['/bin/false'] }, { command: [program('see', `cat > ${folder}/seen`)] }] })
  await hooks.after({ ...EVENT, outcome: 'ok' })
  expect(JSON.parse(readFileSync(join(folder, 'seen'), 'utf8'))).toMatchObject({ event: 'postToolUse', outcome: 'ok' })
})

it.each([
  [[], 'must be an object'], [{ onStart: [] }, 'must be an object'], [{ preToolUse: {} }, 'must be a list'], [{ preToolUse: [{ command: 'touch x' }] }, '"command"'], [{ preToolUse: [{ command: ['touch'] }] }, 'absolute'],
  [{ preToolUse: [{ command: ['./x'] }] }, 'absolute'], [{ preToolUse: [{ command: [] }] }, '"command"'], [{ preToolUse: [{ command: ['/bin/true'], shell: true }] }, 'knows only'], [{ preToolUse: [{ command: ['/bin/true'], tools: [] }] }, '"tools"'],
  [{ postToolUse: [{ command: ['/bin/true'], timeoutMs: 0 }] }, '"timeoutMs"'], [{ preToolUse: Array.from({ length: 33 }, () => ({ command: ['/bin/true'] })) }, 'at most'],
])('hooks that could not be run as they are written are a problem: %#', (raw, says) => {
  const parsed = parseHooks(raw)
  expect(parsed.ok ? '' : parsed.problems.join()).toContain(says)
})
