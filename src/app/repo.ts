/** Wires the source tree: the jail, the matcher that documents share, the credential scanner, parsers. */

import type { Settings } from '../config/index.ts'
import type { Symbols } from '../kernel/ports/symbols.ts'
import { refusal } from '../kernel/refusal.ts'
import { createMatcher, searchTexts } from '../services/matcher/index.ts'
import { createRepo, type OpenRepo, type RepoOptions } from '../services/repo/index.ts'

/** Bytes that one search reads at most, whatever the number of files. */
const MAX_READ_BYTES = 2_000_000_000
/** A literal search ends after this, also in a tree that takes longer. */
const LITERAL_TIMEOUT_MS = 20_000

export const openRepo = (settings: Settings, symbols: Symbols): OpenRepo => createRepo(repoOptions(settings, symbols))

function repoOptions(settings: Settings, symbols: Symbols): RepoOptions {
  return {
    tree: {
      root: settings.repoRoot,
      extensions: settings.repoAllowedExtensions,
      excludedFolders: settings.repoExcludedDirs,
      maxFileBytes: settings.repoMaxFileBytes,
    },
    limits: {
      // A quarter is for escapes, and for what the release guards add.
      maxAnswerBytes: Math.floor(settings.outputMaxBytes * 0.75),
      search: {
        maxFiles: settings.repoSearchMaxFiles, maxReadBytes: MAX_READ_BYTES, maxResults: settings.searchMaxResults,
        maxSnippetBytes: Math.min(settings.searchMaxTotalBytes, Math.floor(settings.outputMaxBytes / 4)), timeoutMs: LITERAL_TIMEOUT_MS,
      },
      regexTimeoutMs: settings.searchRegexTimeoutMs,
      symbolFiles: settings.symbolMapMaxFiles,
      symbols: settings.symbolMapMaxSymbols,
      importFiles: settings.dependencyGraphMaxFiles,
    },
    searcher: {
      matcher: async (query, regex) => {
        if (regex && !settings.searchRegexEnabled) throw refusal('search.pattern', 'expressions are switched off here: search for literal text', 'regex')
        return createMatcher({ query, regex, caseFold: !regex, snippetMaxChars: settings.searchSnippetMaxChars, queryMaxChars: settings.searchQueryMaxLength })
      },
      search: searchTexts,
    },
    symbols,
    imports: async () => (await import('../services/imports/index.ts')).createImportReader(),
    secrets: lazySecrets(),
  }
}

/** The table of rules is loaded by the first text that is read. */
function lazySecrets(): RepoOptions['secrets'] {
  let loaded: ReturnType<RepoOptions['secrets']> | undefined
  const load: RepoOptions['secrets'] = async () => {
    const scanner = (await import('../services/secrets/index.ts')).createScanner()
    return (text) => scanner.scan(text)
  }
  return () => (loaded ??= load())
}
