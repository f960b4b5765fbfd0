import { expect } from 'vitest'
import { codeOf, valueOf } from '../probes.ts'
import type { Area } from '../proves.ts'
import type { World } from '../world.ts'

const SCOPES = ['memory:read', 'memory:write', 'tasks:read', 'tasks:write', 'docs:scan', 'context:read', 'context:write']

function two({ open, folder }: World) {
  const { app, call } = open({ settings: { rateLimitEnabled: false, dataDir: folder(), memoryRoot: folder() } })
  const as = (subject: string) => (name: string, args: object = {}) => call(name, args, app.callerOf(subject, SCOPES))
  return { ann: as('ann'), bob: as('bob') }
}

export const ownership: Area = (proves) => {
  proves('ownership.memory', 'another subject finds, reads and deletes nothing, and is told what it would be told of nothing', async (world) => {
    const { ann, bob } = two(world)
    const stored = valueOf(await ann('memory_store', { namespace: 'plans', content: 'ZXQV is the plan' }))
    await ann('kv_set', { key: 'colour', value: 'ZXQV' })
    for (const [name, args, none] of [
      ['memory_search', { namespace: 'plans', query: 'ZXQV' }, { namespace: 'other', query: 'ZXQV' }],
      ['memory_list', { namespace: 'plans' }, { namespace: 'other' }],
      ['memory_delete', { namespace: 'plans', id: String(stored['id']) }, { namespace: 'plans', id: 'never-stored' }],
      ['kv_get', { key: 'colour' }, { key: 'never-set' }],
      ['kv_delete', { key: 'colour' }, { key: 'never-set' }],
    ] as const) {
      const [seen, nothing] = [await bob(name, args), await bob(name, none)]
      expect([name, codeOf(seen)]).toEqual([name, codeOf(nothing)])
      expect(JSON.stringify(valueOf(seen))).not.toContain('ZXQV')
      expect(Object.keys(valueOf(seen))).toEqual(Object.keys(valueOf(nothing)))
    }
    expect(JSON.stringify(valueOf(await ann('memory_search', { namespace: 'plans', query: 'ZXQV' })))).toContain('ZXQV is the plan')
    expect(codeOf(await ann('kv_get', { key: 'colour' }))).toBe('ok')
  })

  proves('ownership.tasks', 'another subject neither sees nor stops a task, and is told what it would be told of none', async (world) => {
    const { ann, bob } = two(world)
    const { taskId } = valueOf(await ann('task_schedule', { delay_seconds: 3_600 }))
    expect(taskId).toEqual(expect.any(String))
    for (const [name, more] of [['task_get', {}], ['task_update', { action: 'cancel' }]] as const) {
      const [seen, nothing] = [await bob(name, { task_id: taskId, ...more }), await bob(name, { task_id: `${String(taskId).slice(0, -1)}x`, ...more })]
      expect(codeOf(seen)).toBe(codeOf(nothing))
      expect(codeOf(seen)).not.toBe('ok')
    }
    expect(valueOf(await bob('task_list'))).toMatchObject({ tasks: [] })
    expect(valueOf(await ann('task_list'))).toMatchObject({ tasks: [{ taskId }] })
  })
}
