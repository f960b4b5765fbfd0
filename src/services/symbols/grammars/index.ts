import type { Language } from '../../../kernel/ports/symbols.ts'
import { php, ruby, shell, swift } from './dynamic.ts'
import type { Grammar } from './grammar.ts'
import { csharp, java, kotlin, scala } from './managed.ts'
import { python } from './python.ts'
import { c, cpp, go, rust } from './systems.ts'
import { javascript, tsx, typescript } from './typescript.ts'

/** Markdown is read line by line and needs none. */
export const GRAMMARS: Readonly<Record<Exclude<Language, 'markdown'>, Grammar>> = {
  c, cpp, csharp, go, java, javascript, kotlin, php, python, ruby, rust, scala, shell, swift, tsx, typescript,
}
