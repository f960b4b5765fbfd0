import { expect } from 'vitest'
import type { AuditTrail } from '../../../src/kernel/audit.ts'
import type { AppOptions } from '../../../src/app/ports.ts'
import { memoryTrail } from '../../../src/testing/index.ts'
import { codeOf, probe } from '../probes.ts'
import type { Area } from '../proves.ts'
import type { OpenWorld, World } from '../world.ts'

const failing: AuditTrail = { ...memoryTrail(), write: async () => Promise.reject(new Error('disk full')) }

/** Calls a tool with an effect. @returns its code, and how often it happened. */
async function effect({ open }: World, options: AppOptions, auditRequired = false): Promise<{ code: string; happened: number; lines: readonly unknown[] }> {
  let happened = 0
  const tool = probe({ effect: 'create', run: () => void (happened += 1) })
  const { call, lines } = open({ settings: { auditRequired }, options: { ...options, tools: [tool] } })
  return { code: codeOf(await call('probe')), happened, lines: lines.map(({ outcome }) => outcome) }
}

export const intent: Area = (proves) => {
  proves('intent.before', 'the record is there when the effect begins', async ({ open }) => {
    const seen: unknown[] = []
    const tool = probe({ effect: 'delete', run: () => void seen.push(...world.rows.map(({ component, outcome }) => [component, outcome])) })
    const world: OpenWorld = open({ options: { tools: [tool] } })
    await world.call('probe')
    expect(seen).toEqual([['probe', 'intent']])
    expect(world.rows.map(({ outcome }) => outcome)).toEqual(['intent', 'ok'])
    expect(new Set(world.rows.map(({ id }) => id)).size).toBe(1)
  })

  proves('intent.nowhere', 'an effect that cannot be recorded anywhere does not happen', async (world) => {
    for (const trail of [failing, null]) {
      expect(await effect(world, { log: () => false, replace: { trail } })).toMatchObject({ code: 'audit.unavailable', happened: 0 })
    }
  })

  proves('intent.log-is-enough', 'a log line stands in for a trail that fails', async (world) => {
    expect(await effect(world, { replace: { trail: failing } })).toEqual({ code: 'ok', happened: 1, lines: ['intent', 'ok'] })
  })

  proves('intent.required', 'with a required trail, a log line is not enough', async (world) => {
    expect(await effect(world, { replace: { trail: failing } }, true)).toMatchObject({ code: 'audit.unavailable', happened: 0 })
    expect(await effect(world, {}, true)).toMatchObject({ code: 'ok', happened: 1 })
  })
}
