import { describe, expect, it } from 'vitest'
import type { Runner, RunReport } from '../../kernel/ports/runner.ts'
import { testApp } from '../../testing/index.ts'
import type { TestApp } from '../../testing/index.ts'

const REPORT: RunReport = { exitCode: 0, signal: null, stdout: '4\n', stderr: '', durationMs: 12, timedOut: false, truncated: false, redactions: 0 }
const GRANTS = { grants: [{ subject: 'ann', actions: ['execute'], kinds: ['sandbox'], prefix: 'python' }] }

function app(report: Partial<RunReport> = {}, settings: object = {}): TestApp & { readonly asked: unknown[] } {
  const asked: unknown[] = []
  const runner: Runner = {
    runSnippet: async (snippet, { subject }) => {
      asked.push({ ...snippet, subject })
      return { ...REPORT, ...report }
    },
    runTests: () => Promise.reject(new Error('not asked')),
  }
  return { ...testApp({ settings: { execEnabled: true, rateLimitEnabled: false, ...settings }, options: { replace: { services: { runner } } } }), asked }
}

describe('run_snippet', () => {
  it('answers exit code, output as data, time and limits', async () => {
    expect(await app().call('run_snippet', { code: 'print(2 + 2)' })).toMatchObject({
      is: 'ok',
      answer: { value: {
        notice: expect.any(String), exit_code: 0, signal: null, stdout: expect.stringMatching(/^<<data .*>>\n4\n\n<<end .*>>$/),
        duration_ms: 12, timed_out: false, truncated: false, redactions: 0,
      } },
    })
  })

  it('runs Python without input unless the caller says otherwise', async () => {
    const { call, asked } = app()
    await call('run_snippet', { code: 'a' })
    await call('run_snippet', { code: 'b', language: 'javascript', stdin: 'c' })
    expect(asked).toEqual([
      { code: 'a', language: 'python', stdin: '', subject: 'local' },
      { code: 'b', language: 'javascript', stdin: 'c', subject: 'local' },
    ])
  })

  it('is counted for a token that calls itself local apart from the operator', async () => {
    const { app: one, call, asked } = app({}, { authzPolicy: JSON.stringify({ grants: [{ subject: 'local', actions: ['execute'], prefix: '' }] }) })
    for (const caller of [one.local, one.callerOf('local', ['exec:run'])]) await call('run_snippet', { code: 'a' }, caller)
    expect(asked).toMatchObject([{ subject: 'local' }, { subject: 's:local' }])
  })

  it.each([
    ['a language that is a path', { language: '../../bin/sh' }],
    ['a working folder', { cwd: '/etc' }],
    ['variables of the environment', { env: { LD_PRELOAD: '/tmp/x.so' } }],
    ['a time limit of the caller', { timeoutMs: 1_000_000_000 }],
  ])('refuses %s', async (_what, extra) => {
    const { call, asked } = app()
    expect(await call('run_snippet', { code: 'print(1)', ...extra })).toMatchObject({ refusal: { code: 'input.invalid' } })
    expect(asked).toEqual([])
  })

  it('is not there until it is enabled', async () => {
    expect(await app({}, { execEnabled: false }).call('run_snippet', { code: '' })).toMatchObject({ refusal: { code: 'component.unknown' } })
  })

  it('is denied where nothing grants execution', async () => {
    const { app: one, call, asked } = app()
    expect(await call('run_snippet', { code: '' }, one.callerOf('ann', ['exec:run']))).toMatchObject({ refusal: { code: 'access.denied' } })
    expect(asked).toEqual([])
  })

  it('runs for whom execution is granted, in the languages that the grant names', async () => {
    const { app: one, call } = app({}, { authzPolicy: JSON.stringify(GRANTS) })
    const ann = one.callerOf('ann', ['exec:run'])
    expect(await call('run_snippet', { code: '' }, ann)).toMatchObject({ is: 'ok' })
    expect(await call('run_snippet', { code: '', language: 'javascript' }, ann)).toMatchObject({ refusal: { code: 'access.denied' } })
    expect(await call('run_snippet', { code: '' }, one.callerOf('bob', ['exec:run']))).toMatchObject({ refusal: { code: 'access.denied' } })
  })

  it('lets no credential out, even one that the runner overlooked', async () => {
    const key = ['AKIA', 'Z3MHQ2XV7WJKL5RT'].join('')
    const outcome = await app({ stdout: `aws_access_key_id = ${key}\n` }).call('run_snippet', { code: '' })
    expect(outcome).toMatchObject({ is: 'ok' })
    expect(JSON.stringify(outcome)).not.toContain(key)
  })
})
