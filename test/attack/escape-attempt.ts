/** A way out of a runner: a program that tries it, and says so when it worked. */

export type Verdict =
  /** Does not work. */
  | 'stopped'
  /** Works. */
  | 'open'
  /** Works on some machines, or where the server and the code are one user. */
  | 'depends'

export interface Attempt {
  readonly id: string
  /** What the code gets if it works, as a phrase. */
  readonly says: string
  /** What the `subprocess` runner makes of it. */
  readonly subprocess: Verdict
  readonly language: 'python' | 'javascript'
  /** Calls `escaped()` when it worked. `{{name}}` stands for something of the world around it. */
  readonly code: string
  /** It would end the tests themselves where it works, so it is tried in the sandbox only. */
  readonly deadly?: true
}

type Row = readonly [id: string, says: string, subprocess: Verdict, code: string]

export const python = (rows: readonly Row[]): readonly Attempt[] => rows.map(([id, says, subprocess, code]) => ({ id, says, subprocess, code, language: 'python' }))
export const javascript = (rows: readonly Row[]): readonly Attempt[] => rows.map(([id, says, subprocess, code]) => ({ id, says, subprocess, code, language: 'javascript' }))

/** Says that the program began, so that one which never ran does not look like one that failed. */
const PYTHON_START = `
import ctypes, os, signal, socket, stat, struct, subprocess, sys, time
print('TRIED', flush=True)
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def escaped(): print('ESCAPED', flush=True)
def call(x64, arm64, *args):
    number = x64 if os.uname().machine == 'x86_64' else arm64
    return libc.syscall(*[ctypes.c_long(arg) if isinstance(arg, int) else arg for arg in (number, *args)])
`
const JAVASCRIPT_START = `
const escaped = () => console.log('ESCAPED')
console.log('TRIED')
`

/** The whole program of an attempt in a given world. */
export const programOf = ({ language, code }: Attempt, world: Readonly<Record<string, string | number>>): string =>
  ((language === 'python' ? PYTHON_START : JAVASCRIPT_START) + code).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(world[name]))
