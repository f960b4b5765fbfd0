import { existsSync, lstatSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { systemProgram } from './system-program.ts'

const inFolder = (work: (folder: string) => void): void => {
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-program-'))
  try {
    work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

it('is the first place that holds one', () => {
  expect(systemProgram(['/nowhere/sh', 'sh', './sh', '/usr/bin/sh', '/bin/sh'])).toBe('/usr/bin/sh')
  expect(systemProgram([])).toBeUndefined()
})

it('is none in a folder where others may write, nor a link there to one, nor a folder', () => inFolder((folder) => {
  writeFileSync(join(folder, 'own'), '#!/bin/sh\n', { mode: 0o755 })
  symlinkSync('/usr/bin/env', join(folder, 'link'))
  symlinkSync('link', join(folder, 'round'))
  expect(systemProgram([join(folder, 'own'), join(folder, 'link'), join(folder, 'round'), '/usr/bin', '/'])).toBeUndefined()
}))

// One file that is many programs takes its first argument for the name of one when it is called by its own.
it('keeps the name by which it was asked for, where that is a link to another', () => {
  const links = ['/usr/bin/pidof', '/usr/sbin/halt', '/usr/bin/awk', '/usr/bin/vi', '/usr/bin/sh'].filter((place) => existsSync(place) && lstatSync(place).isSymbolicLink())
  for (const link of links) expect([link, basename(systemProgram([link]) ?? '')]).toEqual([link, basename(link)])
})

it('goes through links between folders only', () => {
  if (lstatSync('/bin').isSymbolicLink()) expect(systemProgram(['/bin/ls'])).toBe('/usr/bin/ls')
})
