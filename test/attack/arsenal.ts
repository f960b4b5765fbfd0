/** Hostile input by kind, the tools that take each kind, and a server with something to lose around its folder. */

import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { createArrowhead } from '../../src/index.ts'
import type { Arrowhead, AuditRow } from '../../src/index.ts'
import type { Outcome, Request } from '../../src/kernel/call.ts'
import { memoryTrail } from '../../src/testing/index.ts'
import { catalog } from '../../src/tools/catalog.ts'

/** Stands in every payload and in every secret: wherever it turns up, something got through. */
export const MARK = 'ZXQV'

/** Input fields by the kind of thing that they name. */
const FIELDS = { expression: ['expression'], path: ['path'], prefix: ['path_prefix'], url: ['url'] } as const
export type Kind = keyof typeof FIELDS

export interface Target {
  readonly tool: string
  readonly field: string
  /** Right input, to put a payload into. */
  readonly input: Readonly<Record<string, unknown>>
}

/** Every tool and field of the catalogue that takes this kind of input. What a tool creates may have any name. */
export function targetsOf(kind: Kind): readonly Target[] {
  const fields: readonly string[] = FIELDS[kind]
  const tools = catalog.flatMap((family) => family.tools).filter(({ effect }) => kind !== 'path' || effect === 'read')
  return tools.flatMap(({ name, input, examples }) => {
    const properties = Object.keys((input.json['properties'] ?? {}) as object)
    return properties.filter((field) => fields.includes(field)).map((field) => ({ tool: name, field, input: (examples[0]?.input ?? {}) as Target['input'] }))
  })
}

export interface Server {
  readonly arrowhead: Arrowhead
  readonly base: string
  readonly rows: readonly AuditRow[]
  readonly lines: readonly string[]
  ask(request: Request): Promise<Outcome>
  attack(target: Target, payload: unknown): Promise<Outcome>
  /** Every file around the served folder, with its text. */
  outside(): readonly (readonly [path: string, text: string])[]
  close(): Promise<void>
}

/** A real server over a real folder. Everything beside the folder holds the mark, and links lead to it. */
export function openServer(settings: object = {}): Server {
  const base = mkdtempSync(join(tmpdir(), 'arrowhead-attack-'))
  const root = join(base, 'root')
  for (const folder of [root, join(root, 'sub'), join(base, `root-${MARK}`)]) mkdirSync(folder)
  for (const file of [`${MARK}.txt`, `root-${MARK}/${MARK}.txt`]) writeFileSync(join(base, file), `${MARK} outside`)
  writeFileSync(join(root, 'welcome.txt'), 'inside')
  symlinkSync(`../${MARK}.txt`, join(root, `link-${MARK}`))
  symlinkSync('..', join(root, `up-${MARK}`))
  const rows: AuditRow[] = []
  const lines: string[] = []
  const arrowhead = createArrowhead(
    { jailRoot: root, docsRoot: root, docAllowedExtensions: ['.md', '.txt'], rateLimitEnabled: false, ...settings },
    { dataDir: join(base, 'data'), log: (line) => lines.push(line) > 0, replace: { trail: memoryTrail(rows) } },
  )
  const local = arrowhead.asLocal()
  return {
    arrowhead, base, rows, lines,
    ask: (request) => local.outcome(request),
    attack: ({ tool, field, input }, payload) => local.outcome({ kind: 'tool', name: tool, args: { ...input, [field]: payload } }),
    outside: () =>
      readdirSync(base, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(root + sep) && entry.parentPath !== root && !entry.parentPath.startsWith(join(base, 'data')))
        .map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), 'utf8')] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    async close() {
      await arrowhead.close()
      rmSync(base, { recursive: true, force: true })
    },
  }
}

/** Spelled so that the same bytes in other clothes are found too. */
export const holdsMark = (value: unknown): boolean => JSON.stringify(value).toUpperCase().includes(MARK)
