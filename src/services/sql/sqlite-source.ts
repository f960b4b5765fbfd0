/**
 * What the thread of a SQLite file runs: plain JavaScript as a text, so that it starts the same from sources,
 * from a build and from a bundle. The file is opened read-only; rows stop at the limits that come with a query.
 */

export const SQLITE_SOURCE = `
const { parentPort, workerData } = require('node:worker_threads')
// The library locks by a folder beside the file, which no other SQLite knows, which stays when a thread is
// ended, and which a reader may not be allowed to make. Another's is respected; none is made.
const fs = require('node:fs')
const { mkdirSync, rmdirSync } = fs
const lock = require('node:path').resolve(workerData.file) + '.lock'
fs.mkdirSync = (path, ...rest) => {
  if (path !== lock) return mkdirSync(path, ...rest)
  if (fs.existsSync(lock)) throw Object.assign(new Error('locked'), { code: 'EEXIST' })
}
fs.rmdirSync = (path, ...rest) => (path === lock ? undefined : rmdirSync(path, ...rest))
// The library is built without the counters that its own limit needs, and a thread's limits leave WebAssembly out.
const grow = WebAssembly.Memory.prototype.grow
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65536 > workerData.heapBytes) throw new RangeError('out of memory')
  return grow.call(this, pages)
}
const { Database } = require(workerData.library)
const hex = (bytes) => '\\\\x' + Buffer.from(bytes).toString('hex')
const cell = (value) => {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return hex(value)
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
}
const wordOf = (error) => {
  const said = String(error && error.message)
  if (/no such column/.test(said)) return 'lite_column'
  if (/no such table/.test(said)) return 'lite_table'
  if (/no such function|wrong number of arguments/.test(said)) return 'lite_function'
  if (/ambiguous/.test(said)) return 'lite_ambiguous'
  if (/readonly/.test(said)) return 'lite_readonly'
  if (/too big/.test(said)) return 'lite_size'
  if (/out of memory|memory access|allocation/i.test(said)) return 'lite_memory'
  return /not a database|locked|busy|disk I\\/O/.test(said) ? 'ENOENT' : 'lite_error'
}
let database
const open = () => {
  if (database) return database
  database = new Database(workerData.file, { readOnly: true, fileMustExist: workerData.file !== ':memory:' })
  database.exec('PRAGMA trusted_schema = OFF')
  return database
}
// The names of columns may repeat, which an object of them cannot: rows are read by position.
const read = (statement, { values, limits }) => {
  statement._assertReady()
  statement._bind(values)
  const columns = statement._getColumnNames()
  const width = Math.min(columns.length, limits.maxColumns)
  const places = columns.slice(0, width).map((_, index) => index)
  const lines = []
  let bytes = 2
  let cut = width < columns.length ? 'columns' : undefined
  while (statement._step()) {
    if (lines.length === limits.maxRows) { cut = 'rows'; break }
    const raw = statement._getRow(places, false)
    const line = JSON.stringify(places.map((place) => cell(raw[place])))
    bytes += Buffer.byteLength(line) + 1
    if (bytes > limits.maxBytes) { cut = 'bytes'; break }
    lines.push(line)
  }
  return { columns: columns.slice(0, width).map((name) => ({ name, type: '' })), lines: lines.join('\\n'), cut }
}
parentPort.on('message', (query) => {
  let statement
  try {
    open()
  } catch {
    return parentPort.postMessage({ is: 'error', code: 'ENOENT' })
  }
  try {
    // A file opened read-only still attaches and copies into others.
    if (!/^[\\s(]*(?:select|with|values|explain)\\b/i.test(query.text)) throw new Error('readonly')
    statement = database.prepare(query.text)
    parentPort.postMessage({ is: 'rows', rows: read(statement, query) })
  } catch (error) {
    parentPort.postMessage({ is: 'error', code: wordOf(error) })
  } finally {
    try { if (statement) statement.finalize() } catch {}
  }
})
`
