import { expect, it } from 'vitest'
import { chain } from '../../src/guard/chain.ts'

// A pin: literals only, nothing imported from src but the thing pinned. Reordering means editing here too.
const names = (steps: readonly { readonly guard: { readonly name: string } }[]) => steps.map(({ guard }) => guard.name)

it('runs the guards in this order', () => {
  expect(names(chain.watch)).toEqual(['trace', 'audit', 'contain'])
  expect(names(chain.admit)).toEqual(['known', 'resume', 'quota', 'budget', 'concurrency', 'deadline', 'shape', 'access', 'level', 'consent', 'intent'])
  expect(names(chain.release)).toEqual(['output', 'sanitise', 'redact', 'bound', 'frame'])
})

it('leaves these holes and no others', () => {
  const all = ['tool', 'resource', 'prompt', 'completion', 'listing']
  const holes = [...chain.watch, ...chain.admit, ...chain.release].flatMap(({ guard, kinds }) =>
    all.filter((kind) => !(kinds as readonly string[]).includes(kind)).map((kind) => `${guard.name}:${kind}`),
  )
  expect(holes).toEqual([
    'known:listing', 'resume:completion', 'resume:listing', 'budget:listing',
    'access:completion', 'access:listing',
    'level:resource', 'level:prompt', 'level:completion', 'level:listing',
    'consent:resource', 'consent:prompt', 'consent:completion', 'consent:listing',
    'intent:resource', 'intent:prompt', 'intent:completion', 'intent:listing',
    'output:resource', 'output:prompt', 'output:completion', 'output:listing',
    'sanitise:completion', 'sanitise:listing',
    'redact:listing', 'bound:listing',
    'frame:prompt', 'frame:completion', 'frame:listing',
  ])
})
