/** What a server that is killed in the middle of a run leaves: nothing that runs, and no folder after the next start. */

import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sandboxProblem } from '../../src/services/runner/sandbox-problem.ts'
import { makePlace, startServer, until } from './child.ts'
import type { Place } from './child.ts'

const LONG_MS = 60_000
const whyNot = sandboxProblem()
const isLinux = process.platform === 'linux'

let place: Place
beforeEach(() => {
  place = makePlace()
  chmodSync(place.cwd, 0o755)
  mkdirSync(join(place.cwd, 'repo'))
  writeFileSync(join(place.cwd, 'repo', 'a.txt'), 'as it was')
})
afterEach(() => place.remove())

/** Processes that have this argument. */
const running = (argument: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(argument)
    } catch {
      return false
    }
  })

/** Whether there was none for a while: a look may fall between two programs that one process becomes. */
const gone = (argument: string) => {
  let looks = 0
  return () => (looks = running(argument).length === 0 ? looks + 1 : 0) >= 10
}

const settings = (runner: string, argument: string) => ({
  ARROWHEAD_EXEC_ENABLED: 'true', ARROWHEAD_EXEC_RUNNER: runner, ARROWHEAD_EXEC_WORKDIR: join(place.cwd, 'scratch'),
  ARROWHEAD_EXEC_TEST_COMMAND: `sleep ${argument}`,
})

const RUNNERS = [
  ['subprocess', isLinux ? undefined : 'needs Linux'],
  ['sandbox', whyNot],
] as const

for (const [runner, why] of RUNNERS) {
  describe.skipIf(why !== undefined)(`a server killed in the middle of a run in ${runner}${why === undefined ? '' : ` (skipped: ${why})`}`, () => {
    it('leaves no process behind, and its folder only until the next start', async () => {
      const argument = `3600.${Math.floor(Math.random() * 1e9)}`
      const more = settings(runner, argument)
      const server = await startServer(place, more)
      void server.call(1, 'run_tests', {}).catch(() => {})
      expect(await until(() => running(argument).length > 0, LONG_MS)).toBeLessThan(LONG_MS)
      expect(readdirSync(join(place.cwd, 'scratch'))).toHaveLength(1)

      server.child.kill('SIGKILL')
      await server.exited
      expect(await until(gone(argument), LONG_MS)).toBeLessThan(LONG_MS)
      expect(readdirSync(join(place.cwd, 'scratch'))).toHaveLength(1)

      const next = await startServer(place, more)
      expect(readdirSync(join(place.cwd, 'scratch'))).toEqual([])
      next.child.kill('SIGTERM')
      await next.exited
      expect(readdirSync(join(place.cwd, 'repo'))).toEqual(['a.txt'])
      expect(readFileSync(join(place.cwd, 'repo', 'a.txt'), 'utf8')).toBe('as it was')
    }, 4 * LONG_MS)

    it('or asked to end, leaves neither', async () => {
      const argument = `3600.${Math.floor(Math.random() * 1e9)}`
      const server = await startServer(place, settings(runner, argument))
      void server.call(1, 'run_tests', {}).catch(() => {})
      await until(() => running(argument).length > 0, LONG_MS)
      server.child.stdin.end()
      server.child.kill('SIGTERM')
      expect(await until(gone(argument), LONG_MS)).toBeLessThan(LONG_MS)
      server.child.kill('SIGKILL')
      await server.exited
      expect(existsSync(join(place.cwd, 'repo', 'a.txt'))).toBe(true)
    }, 4 * LONG_MS)
  })
}
