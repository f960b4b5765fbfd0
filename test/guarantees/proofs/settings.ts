import { expect } from 'vitest'
import { ConfigError, loadSettings } from '../../../src/config/index.ts'
import type { Area } from '../proves.ts'

function problemsOf(settings: object): readonly string[] {
  try {
    loadSettings({ file: JSON.stringify(settings) })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

export const settings: Area = (proves) => {
  proves('settings.unknown', 'an unknown name and two wrong values are three problems, said at once', () => {
    expect(problemsOf({ jailRooot: 'x', port: 'ninety', maxConcurrentCalls: -1 })).toHaveLength(3)
    expect(problemsOf({ port: 9000 })).toEqual([])
  })

  proves('settings.no-echo', 'a wrong value is not in the problem that names it', () => {
    const given = { port: 'ZXQV', egressAllowedHosts: ['ZXQV/x'], sqlDsn: 'ZXQV', auditKey: 'ZXQV', authzPolicy: 'ZXQV', oauthPublicKey: 'ZXQV' }
    const problems = problemsOf(given)
    expect(problems.length).toBeGreaterThanOrEqual(Object.keys(given).length)
    expect(problems.join()).not.toContain('ZXQV')
  })
}
