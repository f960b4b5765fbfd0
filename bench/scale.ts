/**
 * What it costs to be many: each remote adapter beside its embedded twin, and two replicas beside one.
 * `eval "$(scripts/test-services.sh start)"; npm run bench:scale [-- --quick] [--only redis,postgres,bucket,replicas]`
 */

import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Effort, Row } from './rounds.ts'
import { bucketPrices, postgresPrices, redisPrices } from './scale-adapters.ts'
import { replicaRate } from './scale-replicas.ts'
import { rounded, tableOf } from './table.ts'

const RESULTS = 'bench/scale.json'
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } })
const effort: Effort = values.quick ? { rounds: 2, sliceMs: 300 } : { rounds: 5, sliceMs: 500 }
const engineOf = (name: string): string => {
  const url = process.env[`ARROWHEAD_TEST_${name}`]
  if (url === undefined) throw new Error(`ARROWHEAD_TEST_${name} names no engine: eval "$(scripts/test-services.sh start)"`)
  return url
}

if (!existsSync('dist/bin/arrowhead.js')) throw new Error('dist/bin/arrowhead.js is missing: npm run build')

const parts: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  redis: () => redisPrices(engineOf('REDIS'), effort),
  postgres: () => postgresPrices(engineOf('POSTGRES'), effort),
  bucket: () => bucketPrices(engineOf('S3'), effort),
  replicas: () => replicaRate({ redis: engineOf('REDIS'), binary: resolve('dist/bin/arrowhead.js') }, { ...effort, sliceMs: 4 * effort.sliceMs }),
}
const wanted = values.only?.split(',') ?? Object.keys(parts)
if (wanted.some((name) => !Object.hasOwn(parts, name))) throw new RangeError(`--only: parts among ${Object.keys(parts).join(', ')}`)
if (wanted.includes('replicas') && spawnSync('nginx', ['-v']).error) throw new Error('nginx is missing, which stands before the replicas: apt-get install nginx-light')
const rows: Row[] = []
for (const name of wanted) {
  process.stderr.write(`${name} ...\n`)
  const measured = ((await parts[name]?.()) ?? []).map(rounded)
  process.stdout.write(tableOf(measured))
  rows.push(...measured)
}
// A part or a hurried run says too little to be kept.
if (values.only === undefined && !values.quick) writeFileSync(RESULTS, `${JSON.stringify(rows, undefined, 2)}\n`)
