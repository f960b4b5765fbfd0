/** Which language a file is written in, by its name. */

import type { Language } from '../../kernel/ports/symbols.ts'

const EXTENSIONS: Readonly<Record<Language, string>> = {
  c: 'c h', cpp: 'cc cpp cxx c++ hh hpp hxx h++ ipp inl tpp', csharp: 'cs', go: 'go', java: 'java', javascript: 'js jsx mjs cjs',
  kotlin: 'kt kts', markdown: 'md markdown', php: 'php phtml', python: 'py pyi pyw', ruby: 'rb rake gemspec', rust: 'rs',
  scala: 'scala sc sbt', shell: 'sh bash zsh', swift: 'swift', tsx: 'tsx', typescript: 'ts mts cts',
}

const BY_EXTENSION = new Map(Object.entries(EXTENSIONS).flatMap(([language, all]) => all.split(' ').map((one) => [one, language as Language] as const)))

/** With their dots. */
export const LANGUAGE_EXTENSIONS: readonly string[] = [...BY_EXTENSION.keys()].map((one) => `.${one}`)

export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot < 0 ? undefined : BY_EXTENSION.get(name.slice(dot + 1).toLowerCase())
}
