/** Rows of schema, table, column and type, gathered by table. */

import type { Cell, Column, TableShape } from './engine-port.ts'

/** @param rows in the order of their tables. Tables beyond the limit are left out. */
export function shapesOf(rows: readonly (readonly Cell[])[], limit: number): readonly TableShape[] {
  const shapes = new Map<string, { schema: string; name: string; columns: Column[] }>()
  for (const row of rows) {
    const [schema = '', name = '', column = '', type = ''] = row.map(String)
    const key = JSON.stringify([schema, name])
    const shape = shapes.get(key) ?? { schema, name, columns: [] }
    if (!shapes.has(key) && shapes.size === limit) break
    shapes.set(key, shape)
    shape.columns.push({ name: column, type: type.toLowerCase() })
  }
  return [...shapes.values()]
}
