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
load().then((parse) => {
  parentPort.on('message', ({ sql, dialect }) => {
    try {
      parentPort.postMessage({ is: 'tree', tree: JSON.stringify(parse(sql, dialect)) })
    } catch (error) {
      // A parser that threw anything else may be dead without saying so.
      const isSyntax = error && (error.name === 'SqlError' || error.name === 'ParserError')
      parentPort.postMessage({ is: isSyntax ? 'syntax' : 'broken' })
    }
  })
  // By which the system knows this thread, where it tells how long one has worked.
  let thread = ''
  try { thread = require('node:fs').readlinkSync('/proc/thread-self') } catch {}
  parentPort.postMessage({ is: 'tree', tree: thread })
})
`
