/** Calls over stdio with a window of requests under way, in both eras of the protocol. */

import { checkTrail, dataDirOf, inTempDir, ours, sdkServer } from './contestants.ts'
import { startServer } from './raw-client.ts'
import type { Era, RateOptions } from './raw-client.ts'
import { compared, takeTurns } from './rounds.ts'
import type { Bench } from './rounds.ts'

const CALL: Omit<RateOptions, 'ms'> = {
  window: 16,
  method: 'tools/call',
  params: { name: 'calculate', arguments: { expression: '2 * (3 + 4)' } },
  isRight: ({ structuredContent }) => (structuredContent as { result?: unknown } | undefined)?.result === 14,
}

export const stdioRps = (binary: string, era: Era): Bench => {
  const id = era === 'modern' ? 'stdio.modern.rps' : 'stdio.rps'
  return {
    ids: [id],
    run: ({ rounds, sliceMs }) => inTempDir(async (folder) => {
      const mine = startServer(ours(binary, folder), era)
      const theirs = startServer(await sdkServer(folder), era)
      await Promise.all([mine.open(), theirs.open()])
      const turns = { ours: () => mine.rate({ ...CALL, ms: sliceMs }), theirs: () => theirs.rate({ ...CALL, ms: sliceMs }) }
      await takeTurns(1, turns)
      const row = compared({ id, baseline: 'sdk', unit: 'calls/s', better: 'more', ...(await takeTurns(rounds, turns)) })
      await Promise.all([mine.end(), theirs.end()])
      checkTrail(dataDirOf(folder))
      return [row]
    }),
  }
}
