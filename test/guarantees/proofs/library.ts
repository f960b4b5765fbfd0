import { expect } from 'vitest'
import { createArrowhead } from '../../../src/index.ts'
import type { Arrowhead } from '../../../src/index.ts'
import { codeOf, probe } from '../probes.ts'
import type { Area } from '../proves.ts'
import type { World } from '../world.ts'

function library({ folder, later }: World): Arrowhead {
  const arrowhead = createArrowhead({}, { dataDir: folder(), tools: [probe({ scope: 'probes:read' })], replace: { trail: null } })
  later(() => arrowhead.close())
  return arrowhead
}

export const libraryDoor: Area = (proves) => {
  proves('library.anonymous', 'without a caller there is nothing to see and nothing to call', async (world) => {
    const arrowhead = library(world)
    for (const of of ['tools', 'resources', 'templates', 'prompts'] as const) expect(await arrowhead.list(of)).toEqual([])
    await expect(arrowhead.call('calculate', { expression: '1' })).rejects.toMatchObject({ code: 'component.unknown' })
    await expect(arrowhead.readResource('arrowhead://integrity')).rejects.toMatchObject({ code: 'component.unknown' })
  })

  proves('library.exact-scopes', 'a subject sees what its scopes name, and nothing by a broader or empty one', async (world) => {
    const arrowhead = library(world)
    const names = async (subject: string, scopes: readonly string[]) => (await arrowhead.as({ subject, scopes }).list('tools')).map((tool) => tool['name'])
    expect(await names('ann', ['probes:read'])).toEqual(['probe'])
    for (const scopes of [['probes'], ['probes:'], ['probes:*'], ['*'], ['PROBES:READ'], ['probes:read '], []]) expect(await names('ann', scopes)).toEqual([])
    expect(await names('', ['probes:read', 'tools:read'])).toEqual([])
    expect(codeOf(await arrowhead.as({ subject: 'ann', scopes: ['probes:read'] }).outcome({ kind: 'tool', name: 'calculate', args: {} }))).toBe('component.unknown')
  })
}
