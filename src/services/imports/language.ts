import type { Lexed, Style } from './lexed.ts'
import type { Link, Places, Project } from './project.ts'

/** How one language says its imports, and where they lead. */
export interface ImportLanguage {
  readonly extensions: readonly string[]
  readonly style: Style
  open(project: Project, places: Places): Promise<(path: string, source: Lexed) => readonly Link[]>
}
