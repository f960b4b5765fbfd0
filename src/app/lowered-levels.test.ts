import { expect, it } from 'vitest'
import { levelInForce, loweredLevels, loweredLines } from './lowered-levels.ts'

it('names each level below the tool’s own, by the one that holds, and none that is raised or equal', () => {
  const settings = { security: { tool_overrides: { delete_file: 'SAFE', move_file: 'SAFE', write_file: 'CONFIRM', run_command: 'CONFIRM' } }, levelOverrides: ['move_file=DENIED', 'edit_file=SAFE'] }
  expect(loweredLevels(settings).map(({ tool, level, setBy }) => [tool, level, setBy])).toEqual([['delete_file', 'SAFE', 'security.tool_overrides'], ['edit_file', 'SAFE', 'ARROWHEAD_LEVEL_OVERRIDES']])
  expect(loweredLines(settings)[0]).toBe('security.tool_overrides: delete_file is SAFE instead of CONFIRM: it runs without asking anybody')
})

it('knows the level that holds, raised ones as well', () => {
  const levelOf = levelInForce({ security: { tool_overrides: { write_file: 'DENIED' } }, levelOverrides: undefined })
  expect([levelOf('write_file', 'SAFE'), levelOf('read_file', 'SAFE')]).toEqual(['DENIED', 'SAFE'])
})

it('finds nothing in what is no section', () => {
  expect([{}, { tool_overrides: null }, { tool_overrides: 'x' }, { tool_overrides: { delete_file: 3 } }].map((security) => loweredLevels({ security, levelOverrides: undefined }))).toEqual([[], [], [], []])
})
