import { expect, it } from 'vitest'
import { ownPlace } from './own-places.ts'

const own = { hidden: [['home', 'me', '.local', 'share', 'arrowhead']], kept: [['home', 'me', 'arrowhead.json']] }
const at = (path: string, use: 'read' | 'write' = 'read') => ownPlace(path.split('/').filter(Boolean), use, own)

it('hides the data folder and everything in it, however it is spelled', () => {
  expect(['/home/me/.local/share/arrowhead', '/home/me/.local/share/arrowhead/api.token', '/home/me/.LOCAL/share/Arrowhead/state.key', '/home/me/.local/share/arrowhead/.'].map((path) => at(path))).toEqual(Array(4).fill('hidden'))
})

it('lets the config file be read, and never changed', () => {
  expect([at('/home/me/arrowhead.json'), at('/home/me/arrowhead.json', 'write'), at('/home/me/ARROWHEAD.json', 'write')]).toEqual([undefined, 'kept', 'kept'])
})

it('says nothing of what only begins alike, lies above, or of no place at all', () => {
  expect([at('/home/me/.local/share/arrowhead-notes', 'write'), at('/home/me/.local/share', 'write'), at('/home/me/arrowhead.json/x', 'write'), ownPlace(['a'], 'write', { hidden: [[]], kept: [[]] })]).toEqual(Array(4).fill(undefined))
})
