/** Reads the imports of a file by its language, and says where they lead. */

import { c } from './c.ts'
import { csharp, swift } from './dotnet.ts'
import { go } from './go.ts'
import { javascript } from './javascript.ts'
import { jvm } from './jvm.ts'
import type { ImportLanguage } from './language.ts'
import { type Lexed, lex } from './lexed.ts'
import { type Link, placesOf, type Project } from './project.ts'
import { python } from './python.ts'
import { rust } from './rust.ts'
import { php, ruby } from './scripting.ts'

const LANGUAGES: readonly ImportLanguage[] = [c, csharp, go, javascript, jvm, php, python, ruby, rust, swift]
const BY_EXTENSION = new Map(LANGUAGES.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)))

const languageOf = (path: string): ImportLanguage | undefined => BY_EXTENSION.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase())

const TARGET_CHARS = 300

export interface OpenImports {
  /** Each import of a file once, where it leads. */
  linksOf(path: string, text: string): readonly Link[]
}

export interface ImportReader {
  /** Whether the imports of such a file can be read. */
  reads(path: string): boolean
  /** Reads what configures imports; a language is looked at only when files of it are there. */
  open(project: Project): Promise<OpenImports>
}

export const createImportReader = (): ImportReader => ({
  reads: (path) => languageOf(path) !== undefined,
  async open(project) {
    const places = placesOf(project.files)
    const used = new Set([...project.files].map(languageOf))
    const open = new Map<ImportLanguage, (path: string, source: Lexed) => readonly Link[]>()
    for (const language of LANGUAGES) if (used.has(language)) open.set(language, await language.open(project, places))
    return {
      linksOf(path, text) {
        const language = languageOf(path)
        const links = language && open.get(language)?.(path, lex(text, language.style))
        return (links ?? []).map(({ target, status }) => ({ status, target: target.slice(0, TARGET_CHARS) }))
      },
    }
  },
})
