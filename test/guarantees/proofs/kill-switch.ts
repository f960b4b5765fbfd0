import { rmSync, unwatchFile, watchFile, writeFileSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { ConfigError } from '../../../src/config/index.ts'
import { codeOf, probe, probeResource, valueOf } from '../probes.ts'
import type { Area } from '../proves.ts'

/** A guard against a test that hangs; the file is looked at twice a second. */
const SOON = { timeout: 20_000, interval: 100 }

/** Writes a file again and again until the server has seen it: a change in the first moments of a watch may be taken for its start. */
const until = (file: string, text: string, holds: () => Promise<void>): Promise<void> =>
  vi.waitFor(async () => {
    writeFileSync(file, text)
    await holds()
  }, SOON)

export const killSwitch: Area = (proves) => {
  proves('kill-switch.setting', 'a disabled tool and everything below a disabled template are gone', async ({ open }) => {
    const { call, dispatch } = open({
      settings: { disabledTools: ['probe'], disabledResources: ['probe://{+path}'] },
      options: { tools: [probe()], resources: [probeResource({ uri: 'probe://{+path}' })] },
    })
    expect(codeOf(await call('probe'))).toBe('component.unknown')
    for (const uri of ['probe://{+path}', 'probe://a', 'probe://a/b']) expect(codeOf(await dispatch({ kind: 'resource', uri }))).toBe('component.unknown')
    expect(JSON.stringify(valueOf(await dispatch({ kind: 'listing', of: 'templates' })))).not.toContain('probe')
    expect(JSON.stringify(await dispatch({ kind: 'listing', of: 'tools' }))).not.toContain('probe')
  })

  proves('kill-switch.file', 'a name written into the file takes a tool out of a running server, and its removal brings it back', async ({ open, folder }) => {
    const file = join(folder(), 'off.txt')
    writeFileSync(file, '')
    const { call } = open({ settings: { killSwitchFile: file, rateLimitEnabled: false }, options: { tools: [probe()] } })
    expect(codeOf(await call('probe'))).toBe('ok')
    await until(file, '# for now\nprobe\nno_such_name\n', async () => expect(codeOf(await call('probe'))).toBe('component.unknown'))
    await until(file, '# all well\n', async () => expect(codeOf(await call('probe'))).toBe('ok'))
  })

  proves('kill-switch.typo', 'a name that nothing has stops the start', ({ open }) => {
    for (const settings of [{ disabledTools: ['calculat'] }, { disabledPrompts: ['x'] }, { disabledResources: ['arrowhead://'] }]) {
      expect(() => open({ settings })).toThrow(ConfigError)
    }
  })

  proves('kill-switch.vanished-file', 'what the file switched off stays off when the file is gone', async ({ open, folder, later }) => {
    const file = join(folder(), 'off.txt')
    writeFileSync(file, 'probe\n')
    const { call } = open({ settings: { killSwitchFile: file, rateLimitEnabled: false }, options: { tools: [probe(), probe({ name: 'other' })] } })
    expect(codeOf(await call('probe'))).toBe('component.unknown')
    // Listeners of one file are told in the order of their registration, so the server has heard before this one.
    const gone = new Promise<void>((resolve) => {
      const listener = ({ mtimeMs }: Stats): void => (mtimeMs === 0 ? resolve() : undefined)
      watchFile(file, listener)
      later(() => unwatchFile(file, listener))
    })
    rmSync(file)
    await gone
    expect(codeOf(await call('probe'))).toBe('component.unknown')
    expect(codeOf(await call('other'))).toBe('ok')
  })
}
