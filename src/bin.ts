/** The executable: the process as a terminal, and nothing else. */

import { Console } from 'node:console'
import { fileURLToPath } from 'node:url'
import { main } from './doors/cli/main.ts'
import { EXIT, say } from './doors/cli/terminal.ts'
import { keepHeapYoung } from './doors/cli/young-heap.ts'
import { userHome } from './exits/disk/user-home.ts'

// Standard output belongs to the protocol: whatever in this process would chat goes elsewhere.
globalThis.console = new Console(process.stderr, process.stderr)

keepHeapYoung()

// A reader that is gone, or a full disk, must not end what still runs: what came of it is told at the end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const stop = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // The second signal means it: whatever still runs is left.
    if (stop.signal.aborted) process.exit(128)
    stop.abort()
  })
}

const terminal = {
  stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env: process.env,
  cwd: process.cwd(), home: userHome(), platform: process.platform, stop: stop.signal, parent: () => process.ppid,
  self: [process.execPath, fileURLToPath(import.meta.url)],
}

try {
  process.exitCode = await main(process.argv.slice(2), terminal)
} catch (error) {
  say(terminal, `arrowhead: internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
  process.exitCode = EXIT.fault
}
// Streams of a client that is gone must not keep the process; what was written is flushed first.
process.stdout.write('', () => {
  const lost = process.stdout.errored as NodeJS.ErrnoException | null
  // A reader that has seen enough is no fault; a disk that took half an answer is.
  if (lost && lost.code !== 'EPIPE') {
    process.stderr.write(`arrowhead: the output could not be written (${lost.code ?? lost.name})\n`)
    process.exitCode = EXIT.fault
  }
  process.exit()
})
