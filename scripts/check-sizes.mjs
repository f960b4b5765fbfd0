// Holds source files to their size. The list of exceptions may only shrink.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const [WARN, FAIL] = [250, 400]
/** File to the lines that it may have. */
const EXCEPTIONS = new Map([])

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src', 'test', 'bench', 'scripts'], { encoding: 'utf8' })
  .split('\n').filter((file) => /\.(ts|mjs)$/.test(file))
let failed = false
const sizes = files.map((file) => [file, readFileSync(file, 'utf8').split('\n').length - 1])
for (const [file, lines] of sizes) {
  const allowed = EXCEPTIONS.get(file) ?? FAIL
  if (lines > allowed) {
    failed = true
    console.error(`too large: ${file} has ${lines} lines, at most ${allowed}`)
  } else if (lines > WARN && !EXCEPTIONS.has(file)) console.warn(`large: ${file} has ${lines} lines`)
}
for (const [file, allowed] of EXCEPTIONS) {
  const lines = sizes.find(([name]) => name === file)?.[1] ?? 0
  if (lines < allowed) {
    failed = true
    console.error(`the exception of ${file} can shrink to ${lines}`)
  }
}
const source = sizes.filter(([file]) => file.startsWith('src/') && !file.endsWith('.test.ts')).map(([, lines]) => lines).sort((a, b) => a - b)
console.log(`sizes: ${source.length} source files, median ${source[source.length >> 1]} lines`)
process.exit(failed ? 1 : 0)
