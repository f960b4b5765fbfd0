/** Writes every page that is derived from the code, or with `--check` says which are out of date. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { renderSpeed } from '../bench/meaning.ts'
import type { Row } from '../bench/rounds.ts'
import { createApp } from '../src/app/create-app.ts'
import { memorySchemaSql, vectorSchemaSql } from '../src/app/data-schema.ts'
import { loadSettings, renderEnvExample, renderJsonSchema, renderReference } from '../src/config/index.ts'
import type { Entry } from '../src/guard/view.ts'
import { REFUSALS } from '../src/kernel/refusal.ts'
import { ATTEMPTS } from '../test/attack/escape-attempts.ts'
import { renderRunners } from '../test/attack/render-runners.ts'
import { guarantees } from '../test/guarantees/guarantees.ts'
import { renderGuards, renderThreatModel } from '../test/guarantees/render.ts'

/** Everything there is: every gate open, so that no tool is missing from the reference. */
const app = createApp(loadSettings({ file: JSON.stringify({ execEnabled: true, notifyAllowlist: ['https://example.com/'] }) }).values, { replace: { trail: null } })

const MADE = '<!-- Made by `npm run generate`. Edit the source, not this page. -->\n'
const code = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

function toolPage({ component, listed, scope }: Entry): string {
  const { level, effect, perMinute, rateName } = component
  return `## ${component.name}

${String(listed()['description'])}

Scope \`${scope}\` · level ${level} · effect ${effect} · ${perMinute} calls per minute and caller (\`ARROWHEAD_${rateName}_PER_MINUTE\`)

Input
${code(listed()['inputSchema'])}

Answer
${code(listed()['outputSchema'] ?? {})}
`
}

const entries = (list: Entry['list']): readonly Entry[] => app.registry.all.filter((entry) => entry.list === list)

const row = ({ name, scope, listed }: Entry): string => `| \`${name}\` | \`${scope}\` | ${String(listed()['description'])} |`

const catalogue = (): string => `${MADE}
# Tools, resources and prompts

${entries('tools').map(toolPage).join('\n')}
## Resources and prompts

| name | scope | what it is |
|---|---|---|
${[...entries('resources'), ...entries('templates'), ...entries('prompts')].map(row).join('\n')}
`

const refusals = (): string => `${MADE}
# Refusals

A code is public: clients and tests may rely on it. The text is fixed, and a hint may follow; neither ever repeats what was sent.

| code | HTTP status | text |
|---|---|---|
${Object.entries(REFUSALS).map(([name, { http, says }]) => `| \`${name}\` | ${http} | ${says} |`).join('\n')}
`

const PAGES: Readonly<Record<string, () => string>> = {
  '.env.example': renderEnvExample,
  'docs/reference/settings.md': () => MADE + renderReference(),
  'docs/reference/settings.schema.json': renderJsonSchema,
  'docs/reference/tools.md': catalogue,
  'docs/reference/refusals.md': refusals,
  'docs/reference/speed.md': () => MADE + renderSpeed(JSON.parse(readFileSync('bench/results.json', 'utf8')) as Row[]),
  'docs/explain/guards.md': () => MADE + renderGuards(),
  'docs/explain/runners.md': () => MADE + renderRunners(ATTEMPTS),
  'docs/explain/threat-model.md': () => MADE + renderThreatModel(guarantees),
  'deploy/pgvector_schema.sql': () => vectorSchemaSql(loadSettings({}).values),
  'deploy/memory_schema.sql': memorySchemaSql,
  // The golden catalogue: a change of what clients see is a change of this file.
  'test/golden/tools.json': () => `${JSON.stringify(entries('tools').map(({ listed }) => listed()), null, 2)}\n`,
}

const check = process.argv.includes('--check')
const stale: string[] = []
for (const [file, render] of Object.entries(PAGES)) {
  const text = `${render().trimEnd()}\n`
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
  stale.push(file)
  if (check) continue
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
await app.close()
if (check && stale.length > 0) console.error(`out of date, run \`npm run generate\`: ${stale.join(', ')}`)
else console.log(check ? 'generated files are up to date' : `written: ${stale.join(', ') || 'nothing to do'}`)
process.exit(check && stale.length > 0 ? 1 : 0)
