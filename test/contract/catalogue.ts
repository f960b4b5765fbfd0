/** What the contract tests look at: every tool, its family, its listing and an app that serves all of them. */

import { join } from 'node:path'
import { scratchFolder } from '../../src/testing/scratch-folder.ts'
import { Answer } from '../../src/kernel/answer.ts'
import { access } from '../../src/kernel/access.ts'
import type { Inspector, Tool } from '../../src/kernel/tool.ts'
import type { Services } from '../../src/kernel/services.ts'
import { testApp } from '../../src/testing/index.ts'
import type { TestApp } from '../../src/testing/index.ts'
import { catalog } from '../../src/tools/catalog.ts'

/** Settings that open the gate of every family. */
const ALL_OPEN = { rateLimitEnabled: false, execEnabled: true, notifyAllowlist: ['https://example.com/'], dataDir: scratchFolder('data'), execWorkdir: join(scratchFolder('exec'), 'work') }

export const everyTool: readonly (readonly [name: string, tool: Tool, family: string])[] = catalog.flatMap(({ name: family, tools }) =>
  tools.map((tool) => [tool.name, tool, family] as const),
)

/** A world in which nothing exists yet and every query reads one table. */
export const anInspector: Inspector = { exists: () => false, reads: async () => [access('query', 'table', 'public.users')] }

export interface ListedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations: Readonly<Record<string, unknown>>
}

export interface JsonObject {
  readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly required?: readonly string[]
}

/** An app with every family; `services` stand in for what is served by default. */
export const wholeApp = (services: Partial<Services> = {}, settings: object = {}): TestApp =>
  testApp({ settings: { ...ALL_OPEN, ...settings }, options: { replace: { services } } })

/** The listing of every tool, as a client with all scopes gets it. */
export async function listedTools(): Promise<readonly ListedTool[]> {
  const outcome = await wholeApp().dispatch({ kind: 'listing', of: 'tools' })
  const { value } = outcome.is === 'ok' ? outcome.answer : new Answer({ items: [] })
  return value['items'] as readonly ListedTool[]
}
