/** The programs of `examples/` run as they are printed, and what each checks holds. */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../process/built-binary.ts'

const programs = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.mjs')).map((file) => `examples/${file}`)

let home: string
beforeAll(() => {
  if (!existsSync(join(ROOT, 'dist/index.js'))) throw new Error('the examples use the built package: run `npm run build` first')
  home = mkdtempSync(join(tmpdir(), 'arrowhead-examples-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('an example', () => {
  test.each(programs)('%s runs to its end with what it checks', (program) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [program], { cwd: ROOT, encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: home } })
    expect({ status, stderr: stderr.slice(0, 2_000) }).toEqual({ status: 0, stderr: expect.not.stringContaining('Error') })
    expect(stdout).not.toBe('')
    expect(readFileSync(join(ROOT, program), 'utf8')).toContain('assert')
  })

  test('stands in the guide, and the guide names no other', () => {
    const named = [...readFileSync(join(ROOT, 'docs/guides/examples.md'), 'utf8').matchAll(/`node (examples\/[^`]+)`/g)].map(([, path]) => path)
    expect(named.sort()).toEqual([...programs].sort())
  })
})
