/** A folder with a root and something outside it, made anew for each test. */

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { Refusal, refusalText } from '../../kernel/refusal.ts'
import { openJail } from './jail.ts'
import type { Jail, JailOptions } from './jail.ts'
import { pinByHandle, pinByName } from './pin.ts'
import type { PinAt } from './pin.ts'

export const LIMIT = { maxBytes: 1000 }
export const UNAVAILABLE = 'file.unavailable: there is no readable file at that path'
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

export const hasHandles = existsSync('/proc/self/fd')
const WAYS = [['by handle', pinByHandle], ['by name', pinByName]] as const
export const ways = WAYS.filter(([way]) => hasHandles || way === 'by name')

/** Registers set-up and clean-up. `onMade` hears of each new folder and its root. */
export function jailWorld(pinAt: PinAt, onMade: (base: string, root: string) => void) {
  let base = ''
  let root = ''
  const opened: Jail[] = []

  const put = (path: string, text = 'text'): string => {
    const at = join(base, path)
    mkdirSync(join(at, '..'), { recursive: true })
    writeFileSync(at, text)
    return at
  }

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'jail-'))
    root = join(base, 'root')
    put('root/docs/a.md', 'alpha')
    put('outside/secret.txt', 'SECRET')
    onMade(base, root)
  })
  afterEach(() => {
    for (const jail of opened.splice(0)) jail.close()
    rmSync(base, { recursive: true, force: true })
  })

  return {
    put,
    async open(options: JailOptions = {}, at = root): Promise<Jail> {
      const jail = await openJail(at, { pinAt, ...options })
      opened.push(jail)
      return jail
    },
    async answer(work: Promise<unknown>): Promise<string> {
      const error = await work.then(() => 'no refusal', (thrown: unknown) => thrown)
      return error instanceof Refusal ? refusalText(error) : String(error)
    },
    /** Handles of this process that lead into the test's folder. */
    handles: (): number => readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(base)
      } catch {
        return false
      }
    }).length,
  }
}
