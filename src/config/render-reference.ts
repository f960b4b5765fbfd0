/** Writes the settings reference as a Markdown page. */

import { formatValue } from './setting.ts'
import { SETTINGS } from './settings.ts'
import type { Setting } from './settings.ts'

const INTRO = `# Settings

This page is generated from the declarations of the settings.

A setting is given as a flag, in the environment, in a \`.env\` file or in a JSON config file; the first of these that
gives it wins, and what none gives takes its default. Every problem is reported at once and the server does not start:
a wrong value, a name that does not exist, settings that contradict each other.

- A list is separated by commas in text and is an array in the config file. Leaving it out and setting it to nothing
  are different: a list that is set and empty is empty. Where a list allows something, an empty one allows nothing.
- An empty text switches an optional setting off that is not a list; signing keys refuse it.
- Switches that give up protection begin with \`--dangerously\` as a flag and with \`dangerously\` in the config file.
- Values marked secret are never shown. Flags are visible to other users of the machine; prefer another source for them.
`

/** Text that stays inside one table cell. */
const cell = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('*', '\\*')

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``

function fallbackCell(setting: Setting): string {
  const text = formatValue(setting, setting.fallback)
  return text === undefined ? 'unset' : code(text)
}

function meaningCell({ says, risk, secret }: Setting): string {
  return [says, risk === undefined ? '' : `**Risk:** ${risk}`, secret ? 'Secret.' : '']
    .filter(Boolean)
    .map(cell)
    .join(' ')
}

const row = (setting: Setting): string => {
  const names = [setting.env, setting.flag, setting.key].map(code).join('<br>')
  return `| ${names} | ${fallbackCell(setting)} | ${cell(setting.kind.accepts)} | ${meaningCell(setting)} |`
}

const HEAD = '| Environment, flag, config file | Default | Accepts | Meaning |\n| --- | --- | --- | --- |'

function renderSection(title: string): string {
  const rows = SETTINGS.filter((setting) => setting.section === title).map(row)
  return `## ${title}\n\n${HEAD}\n${rows.join('\n')}\n`
}

/** The page `docs/reference/settings.md`, ending in a line break. */
export function renderReference(): string {
  const titles = [...new Set(SETTINGS.map((setting) => setting.section))]
  return [INTRO, ...titles.map(renderSection)].join('\n')
}
