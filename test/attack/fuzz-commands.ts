/** Prints what the option-space of the command table comes to on this machine: `npm run fuzz:commands [-- RUNS SEED]`. */

import { fuzzCommands, tableOf } from './command-fuzz.ts'
import { canWatch } from './command-watch.ts'

const [runs = '20', seed = '1'] = process.argv.slice(2)
const rows = await fuzzCommands({ runs: canWatch() ? Number(runs) : 0, seed: Number(seed) })
const failed = rows.flatMap(({ dangerousPassed, acted }) => [...dangerousPassed, ...acted])
console.log([`seed ${seed}`, tableOf(rows), ...failed].join('\n'))
process.exit(failed.length > 0 ? 1 : 0)
