/** Writes `.env.example`: every setting with its sentence and default, each commented out. */

import { formatValue } from './setting.ts'
import { SETTINGS } from './settings.ts'
import type { Setting } from './settings.ts'

const INTRO = `# Settings of Arrowhead, generated from their declarations. Copy to .env and take the # off what you change.
# A list that is set to nothing is an empty list, which is not the same as leaving it out.`

const WIDTH = 110

/** Breaks a sentence into comment lines. */
function comment(text: string): string {
  const lines: string[] = []
  let line = '#'
  for (const word of text.split(' ')) {
    if (line.length + word.length + 1 > WIDTH) {
      lines.push(line)
      line = '#'
    }
    line += ` ${word}`
  }
  return [...lines, line].join('\n')
}

/** Text that `.env` syntax reads back unchanged. */
const quoted = (text: string): string => (/^[\w.,:/@+-]*$/.test(text) ? text : `'${text}'`)

function block(setting: Setting): string {
  const { env, kind, says, risk } = setting
  const value = quoted(formatValue(setting, setting.fallback) ?? '')
  const danger = risk === undefined ? [] : [comment(`Risk: ${risk}`)]
  return [comment(says), comment(`Accepts ${kind.accepts}.`), ...danger, `# ${env}=${value}`].join('\n')
}

function renderSection(title: string): string {
  const blocks = SETTINGS.filter((setting) => setting.section === title).map(block)
  return [`### ${title}`, ...blocks].join('\n\n')
}

/** The text of `.env.example`, ending in a line break. */
export function renderEnvExample(): string {
  const titles = [...new Set(SETTINGS.map((setting) => setting.section))]
  return `${[INTRO, ...titles.map(renderSection)].join('\n\n')}\n`
}
