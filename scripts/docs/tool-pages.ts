/** One page for each tool, and one that lists them all, from the catalogue itself. */

import { listedTool } from '../../src/app/listed.ts'
import type { Family } from '../../src/kernel/resource.ts'
import type { Tool } from '../../src/kernel/tool.ts'
import { assistantFamilies, catalog } from '../../src/tools/catalog.ts'
import { workspace } from '../../src/tools/workspace/index.ts'
import type { Page } from './pages.ts'

interface Group {
  readonly folder: string
  readonly title: string
  readonly says: string
  readonly families: readonly Family[]
}

export const GROUPS: readonly Group[] = [
  { folder: 'server', title: 'The server’s tools', says: 'Served by `arrowhead serve`, over stdio and over HTTP, and to the assistant where its profile has them.', families: catalog },
  { folder: 'assistant', title: 'The assistant’s tools', says: 'Served with the profile `assistant` alone: the files, repositories and the host of this machine.', families: assistantFamilies },
  { folder: 'workspace', title: 'The workspace’s tools', says: 'Served by `arrowhead mcp-serve` over one folder.', families: [workspace({ withAgent: true })] },
]

export const toolCount = ({ families }: Group): number => families.reduce((sum, { tools }) => sum + tools.length, 0)

type Properties = Readonly<Record<string, { readonly type?: unknown; readonly description?: unknown; readonly default?: unknown; readonly enum?: readonly unknown[]; readonly anyOf?: readonly { readonly type?: unknown }[] }>>
interface Shape {
  readonly properties?: Properties
  readonly required?: readonly string[]
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')

function fieldRows({ properties = {}, required = [] }: Shape): readonly string[] {
  return Object.entries(properties).map(([name, { type, anyOf, enum: values, description, default: fallback }]) => {
    const kind = values ? values.map((value) => `\`${JSON.stringify(value)}\``).join(' or ') : String(type ?? anyOf?.map((one) => one.type).join(' or ') ?? 'any')
    const need = required.includes(name) ? 'yes' : fallback === undefined ? 'no' : `no, \`${JSON.stringify(fallback)}\``
    return `| \`${name}\` | ${cell(kind)} | ${cell(need)} | ${cell(String(description ?? ''))} |`
  })
}

const table = (head: string, rows: readonly string[]): string => (rows.length === 0 ? 'Nothing.' : [head, head.replaceAll(/[^|]+/g, '---'), ...rows].join('\n'))

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

function toolPage(tool: Tool, family: string): string {
  const listed = listedTool(tool) as { readonly inputSchema: Shape; readonly outputSchema?: Shape; readonly annotations: Readonly<Record<string, boolean>> }
  const example = tool.examples[0]
  return [
    `# ${tool.name}`, cell(tool.summary),
    table('| Scope | Level | Effect | Family | Calls per minute and caller |', [`| \`${tool.scope}\` | ${tool.level} | ${tool.effect} | ${family} | ${tool.perMinute} (\`ARROWHEAD_${tool.rate ?? tool.name.toUpperCase()}_PER_MINUTE\`) |`]),
    `Hints to clients: ${Object.entries(listed.annotations).map(([name, value]) => `\`${name}: ${value}\``).join(', ')}.`,
    '## Input', table('| Field | Type | Required, default | Meaning |', fieldRows(listed.inputSchema)),
    '## Answer', table('| Field | Type | Always there | Meaning |', fieldRows(listed.outputSchema ?? {})),
    ...(example ? ['## Example', json(example.input)] : []),
    '## Schemas', json({ inputSchema: listed.inputSchema, ...(listed.outputSchema && { outputSchema: listed.outputSchema }) }),
  ].join('\n\n')
}

function indexPage(): string {
  const total = GROUPS.reduce((sum, group) => sum + toolCount(group), 0)
  const lists = GROUPS.flatMap((group) => [
    `## ${group.title}`, `${toolCount(group)} tools. ${group.says}`,
    table('| Tool | Scope | Level | What it does |', group.families.flatMap(({ tools }) => tools).map((tool) => `| [${tool.name}](${group.folder}/${tool.name}.md) | \`${tool.scope}\` | ${tool.level} | ${cell(tool.summary)} |`)),
  ])
  return ['# Tools', `${total} tools, and a page for each. A caller sees those that its scopes cover.`, ...lists].join('\n\n')
}

export function toolPages(): readonly Page[] {
  const single = GROUPS.flatMap(({ folder, families }) => families.flatMap(({ name, tools }) => tools.map((tool) => ({ path: `reference/tools/${folder}/${tool.name}.md`, text: toolPage(tool, name) }))))
  return [{ path: 'reference/tools/index.md', text: indexPage() }, ...single]
}
