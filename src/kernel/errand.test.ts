/** Every refusal that the tools of this machine can meet has a status that somebody decided. */

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { cutText, errandId, statusOf } from './errand.ts'
import type { Status } from './errand.ts'

const SRC = fileURLToPath(new URL('..', import.meta.url))
const FOLDERS = ['services/local-files', 'services/git', 'services/host', 'services/commands', 'services/checkpoints', 'tools/files', 'tools/git', 'tools/host', 'policy', 'exits/disk', 'exits/process']

const STATUS: Readonly<Record<string, Status>> = {
  'call.cancelled': 'error', 'command.denied': 'denied', 'command.off': 'denied', 'content.encoding': 'error', 'disk.full': 'error', 'edit.mismatch': 'invalid_args', 'exec.unavailable': 'error', 'file.changed': 'error',
  'file.credential': 'denied', 'file.exists': 'error', 'file.too-large': 'error', 'file.unavailable': 'error', 'git.unavailable': 'error', 'input.invalid': 'invalid_args',
  'path.denied': 'denied', 'path.invalid': 'denied', 'path.outside': 'denied', 'path.protected': 'denied', 'undo.missing': 'error',
  // Rules of the network that lie beside those of paths.
  'egress.host': 'denied', 'egress.port': 'denied', 'egress.scheme': 'error', 'egress.url': 'error', 'notify.destination': 'denied',
}

function thrownCodes(): ReadonlySet<string> {
  const files = FOLDERS.flatMap((folder) => readdirSync(join(SRC, folder), { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.(?:test|fixture|soak\.test))\.ts$/.test(name)).map((name) => join(SRC, folder, name)))
  return new Set([...files, join(SRC, 'app/local.ts')].flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/refusal\(\s*'([a-z.-]+)'/g)].map(([, code = '']) => code)))
}

describe('the status of a refused call', () => {
  it('is decided for every code that the tools of this machine meet', () => {
    expect([...thrownCodes()].filter((code) => !Object.hasOwn(STATUS, code))).toEqual([])
  })

  it.each(Object.entries(STATUS))('of %s is %s', (code, status) => {
    expect(statusOf('refused', code)).toBe(status)
  })
})

it('cuts no character in half', () => {
  expect(cutText('a\ud83d\ude00b', 2)).toBe('a')
})

it('begins a request’s id so that it can be typed after a command', () => {
  expect(errandId('-x_y')).toMatch(/^r-[\w-]+$/)
})
