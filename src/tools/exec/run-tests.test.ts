import { describe, expect, it } from 'vitest'
import type { Runner } from '../../kernel/ports/runner.ts'
import { testApp } from '../../testing/index.ts'
import type { TestApp } from '../../testing/index.ts'

function app(settings: object = {}): TestApp & { readonly asked: string[] } {
  const asked: string[] = []
  const runner: Runner = {
    runSnippet: () => Promise.reject(new Error('not asked')),
    runTests: async (prefix) => {
      asked.push(prefix)
      return { exitCode: null, signal: 'SIGKILL', stdout: '', stderr: 'late', durationMs: 1, timedOut: true, truncated: false, redactions: 2 }
    },
  }
  return { ...testApp({ settings: { execEnabled: true, rateLimitEnabled: false, ...settings }, options: { replace: { services: { runner } } } }), asked }
}

const grants = (prefix: string, kinds?: readonly string[]): string => JSON.stringify({ grants: [{ subject: 'ann', actions: ['execute'], ...(kinds && { kinds }), prefix }] })

describe('run_tests', () => {
  it('answers how the run ended', async () => {
    expect(await app().call('run_tests', { path_prefix: 'src/' })).toMatchObject({
      is: 'ok', answer: { value: { exit_code: null, signal: 'SIGKILL', stderr: expect.stringContaining('late'), timed_out: true, redactions: 2 } },
    })
  })

  it('copies everything unless the caller names a part', async () => {
    const { call, asked } = app()
    await call('run_tests')
    expect(asked).toEqual([''])
  })

  it.each([
    ['src', 'is ok'], ['src/', 'is ok'], ['src/./app//', 'is ok'], ['./src', 'is ok'],
    ['src-old', 'is denied'], ['', 'is denied'], ['/src', 'is denied'],
  ])('with a grant for src, %j %s', async (prefix, what) => {
    const { app: one, call } = app({ authzPolicy: grants('src', ['repo_prefix']) })
    const outcome = await call('run_tests', { path_prefix: prefix }, one.callerOf('ann', ['exec:run']))
    if (what === 'is denied') expect(outcome).toMatchObject({ refusal: { code: 'access.denied' } })
    else expect(outcome).toMatchObject({ is: 'ok' })
  })

  it('needs a grant that spells the kind, as everything of the repository does', async () => {
    const { app: one, call } = app({ authzPolicy: grants('') })
    expect(await call('run_tests', {}, one.callerOf('ann', ['exec:run']))).toMatchObject({ refusal: { code: 'access.denied' } })
  })
})
