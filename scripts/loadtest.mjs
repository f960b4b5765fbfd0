#!/usr/bin/env node
// A burst of calls against a running server: is it healthy and ready, how long do calls take, how many are limited?
//   node scripts/loadtest.mjs BASE N [--tool NAME] [--args JSON] [--concurrency C] [--token-env NAME] [--json]
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tool: { type: 'string', default: 'calculate' }, args: { type: 'string', default: '{"expression":"6 * 7"}' }, concurrency: { type: 'string', default: '16' }, 'token-env': { type: 'string' }, json: { type: 'boolean', default: false } },
})
const [base, count] = [positionals[0], Number(positionals[1])]
const lanes = Number(values.concurrency)
if (!base || !URL.canParse(base) || !Number.isInteger(count) || count < 1 || !Number.isInteger(lanes) || lanes < 1) {
  console.error('usage: loadtest.mjs BASE N [--tool NAME] [--args JSON] [--concurrency C] [--token-env NAME] [--json]')
  process.exit(2)
}
const token = values['token-env'] && process.env[values['token-env']]
if (values['token-env'] && !token) {
  console.error(`loadtest: ${values['token-env']} is not set`)
  process.exit(2)
}
const at = (path) => new URL(path, base.endsWith('/') ? base : `${base}/`)
const stateOf = async (path) => {
  try {
    const answer = await fetch(at(path))
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 'unreachable'
  }
}

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...(token && { authorization: `Bearer ${token}` }) }
const body = (id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: values.tool, arguments: JSON.parse(values.args) } })
/** What an answer came to: a refusal says its code in its first text. */
const kindOf = (status, text) => {
  if (status === 429 || /quota\.spent|concurrency\./.test(text)) return 'limited'
  if (status === 401 || status === 403) return 'not let in'
  return status === 200 && text.includes('"result"') && !text.includes('"isError":true') ? 'ok' : 'failed'
}
const [tally, times] = [{ ok: 0, limited: 0, 'not let in': 0, failed: 0, unreachable: 0 }, []]
async function call(id) {
  const start = performance.now()
  try {
    const answer = await fetch(at('mcp'), { method: 'POST', headers, body: body(id) })
    const kind = kindOf(answer.status, await answer.text())
    tally[kind] += 1
    if (kind === 'ok') times.push(performance.now() - start)
  } catch {
    tally.unreachable += 1
  }
}

const [health, ready] = [await stateOf('health'), await stateOf('ready')]
const started = performance.now()
let next = 0
await Promise.all(Array.from({ length: Math.min(lanes, count) }, async () => {
  while (next < count) await call(++next)
}))
const seconds = (performance.now() - started) / 1000
times.sort((a, b) => a - b)
const percentile = (share) => (times.length === 0 ? null : Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] * 100) / 100)
const report = { health, ready, calls: count, ...tally, perSecond: Math.round(count / seconds), milliseconds: { p50: percentile(0.5), p90: percentile(0.9), p99: percentile(0.99), max: percentile(1) } }
if (values.json) console.log(JSON.stringify(report))
else {
  console.log(`health ${health}, ready ${ready}`)
  console.log(`${count} calls, ${report.perSecond} a second: ${Object.entries(tally).filter(([, n]) => n > 0).map(([kind, n]) => `${n} ${kind}`).join(', ')}`)
  console.log(`milliseconds: ${Object.entries(report.milliseconds).map(([name, ms]) => `${name} ${ms ?? '–'}`).join(', ')}`)
}
process.exit(health === 200 && tally.failed + tally.unreachable + tally['not let in'] === 0 ? 0 : 1)
