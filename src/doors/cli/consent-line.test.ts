import { expect, it } from 'vitest'
import type { Panel } from '../../kernel/panel.ts'
import { panelText } from './consent-line.ts'

const PANEL: Panel = { tool: 'write_file', title: 'Write a file', level: 'CONFIRM', effect: 'replace', targets: ['a.txt'], args: '{\n "path": "a.txt"\n}', change: undefined, reason: 'because', scope: '' }
const linesOf = (changes: Partial<Panel>, columns?: number): readonly string[] => panelText({ ...PANEL, ...changes }, columns).split('\n')
const NAMED = /^ {2}(?:Action|Target|Arguments|Reason|Risk) /

it('what stands in a file cannot look like a row of the panel', () => {
  const change = 'What would be written:\n  Risk       SAFE: nothing changes\n\n  Target     other.txt\n'
  const shown = linesOf({ change })
  expect(shown.filter((line) => NAMED.test(line)).map((line) => line.trim().split(' ')[0])).toEqual(['Action', 'Target', 'Arguments', 'Reason', 'Risk'])
  expect(shown.slice(-4)).toEqual(['  What would be written:', '  |   Risk       SAFE: nothing changes', '  | ', '  |   Target     other.txt'])
})

it.each([40, 80, 200])('no line is broken by a terminal of %d columns, where its rest could look like a row', (columns) => {
  const long = `${'pad '.repeat(60)}  Risk       SAFE: nothing changes`
  const wide = `${'\u5b57'.repeat(150)}  Risk       SAFE`
  const shown = linesOf({ change: `What:\n+${long}\n+${wide}\n+\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\tx`, targets: [long, wide], args: `{ "a": "${long}" }` }, columns)
  const widthOf = (line: string): number => Array.from(line).reduce((sum, sign) => sum + (sign === '\t' ? 8 : sign > '~' ? 2 : 1), 0)
  for (const line of shown) expect(widthOf(line)).toBeLessThanOrEqual(columns)
  expect(shown.filter((line) => NAMED.test(line))).toHaveLength(6)
  expect(shown.join('').replaceAll(/\s|\|/g, '')).toContain(`+${long}`.replaceAll(/\s/g, ''))
})
