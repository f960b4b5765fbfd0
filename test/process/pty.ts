/** Runs the executable in a real terminal (a pty), typing each line once what it waits for was shown. */

import { spawn, spawnSync } from 'node:child_process'
import { builtBinary } from './built-binary.ts'
import type { Place } from './child.ts'

/** Python has the calls that make a pty; Node has not. */
export const HAS_PTY = process.platform !== 'win32' && spawnSync('python3', ['-c', 'import pty']).status === 0

const DRIVER = `
import json, os, pty, select, signal, sys, time
job = json.loads(sys.argv[1])
pid, fd = pty.fork()
if pid == 0:
    os.chdir(job["cwd"])
    os.execve(job["argv"][0], job["argv"], job["env"])
seen, at, steps, end = b"", 0, list(job["steps"]), time.time() + job["seconds"]
while time.time() < end:
    ready, _, _ = select.select([fd], [], [], 0.2)
    if ready:
        try:
            chunk = os.read(fd, 65536)
        except OSError:
            break
        if not chunk:
            break
        seen += chunk
    while steps and steps[0][0].encode() in seen[at:]:
        waited, typed = steps.pop(0)
        at = seen.index(waited.encode(), at) + len(waited.encode())
        os.write(fd, typed.encode())
done, status = os.waitpid(pid, os.WNOHANG)
for _ in range(50):
    if done: break
    time.sleep(0.1)
    done, status = os.waitpid(pid, os.WNOHANG)
if not done:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
print(json.dumps({"text": seen.decode("utf-8", "replace"), "code": os.waitstatus_to_exitcode(status) if done else None, "left": len(steps)}))
`

export interface Typed {
  /** Everything that was shown, what was typed included. */
  readonly text: string
  /** Null where it had to be killed. */
  readonly code: number | null
  /** Steps whose text was never shown. */
  readonly left: number
}

/** @param steps what to wait for, and what to type then. */
export async function inTerminal({ cwd, env }: Place, args: readonly string[], steps: readonly (readonly [waitFor: string, type: string])[], more: Readonly<Record<string, string>> = {}): Promise<Typed> {
  const argv = [process.execPath, await builtBinary(), ...args]
  const job = JSON.stringify({ cwd, argv, env: { ...env, TERM: 'xterm', ...more }, steps, seconds: 60 })
  const child = spawn('python3', ['-c', DRIVER, job])
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  await new Promise((resolve) => child.once('close', resolve))
  if (out.length === 0) throw new Error(Buffer.concat(err).toString())
  return JSON.parse(Buffer.concat(out).toString()) as Typed
}
