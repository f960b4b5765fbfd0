/**
 * What the parser's thread runs: plain JavaScript as a text, so that it starts the same from sources, from a
 * build and from a bundle. It loads one parser and answers each statement with its tree as JSON.
 */

export const PARSER_SOURCE = `
const { parentPort, workerData } = require('node:worker_threads')
const load = async () => {
  const library = require(workerData.library)
  if (workerData.parser === 'postgres') {
    await library.loadModule()
    return (sql) => library.parseSync(sql)
  }
  await library.init()
  return (sql, dialect) => library.parse(sql, dialect)
}
// By which the system knows this thread, where it tells how long one has worked.
let thread = ''
try { thread = require('node:fs').readlinkSync('/proc/thread-self') } catch {}
// What it had worked before the text that it works on. Small texts are left uncounted for a while: a look costs more than one.
const before = new Float64Array(workerData.before)
let uncountedMs = 0
const count = () => {
  uncountedMs = 0
  try { before[0] = Number(require('node:fs').readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ', 1)[0]) / 1e6 } catch {}
}
load().then((parse) => {
  parentPort.on('message', ({ sql, dialect }) => {
    const startMs = performance.now()
    try {
      parentPort.postMessage({ is: 'tree', tree: JSON.stringify(parse(sql, dialect)) })
    } catch (error) {
      // A parser that threw anything else may be dead without saying so.
      const isSyntax = error && (error.name === 'SqlError' || error.name === 'ParserError')
      parentPort.postMessage({ is: isSyntax ? 'syntax' : 'broken' })
    }
    uncountedMs += performance.now() - startMs
    if (uncountedMs > workerData.uncountedMs) count()
  })
  count()
  parentPort.postMessage({ is: 'tree', tree: thread })
})
`
