import type { WorkspaceFound } from '../../kernel/ports/workspace.ts'

/** How fresh an answer is, in words: it is said with every one. */
export function indexWords({ state, asOfMs }: WorkspaceFound['index']): string {
  if (state === 'building') return 'building: files may be missing yet'
  const asOf = asOfMs === null ? '' : ` as of ${new Date(asOfMs).toISOString().slice(0, 19)}Z`
  return state === 'partial' ? `not every file${asOf}` : `complete${asOf}`
}
