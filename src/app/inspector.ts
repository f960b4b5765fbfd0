/** What guards may look at: documents of the corpus, and whatever the user's own inspector knows. */

import type { Access } from '../kernel/access.ts'
import type { Corpus, CorpusDocument } from '../kernel/ports/corpus.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Inspector } from '../kernel/tool.ts'
import type { Services } from '../kernel/services.ts'

/** Without an adapter a thing cannot be looked at, and a call that must look is a fault rather than a guess. */
const NO_INSPECTOR: Inspector = {
  exists() {
    throw new TypeError('there is no inspector: pass one in options.replace')
  },
}

export function inspectorOf(corpus: Corpus, own: Inspector = NO_INSPECTOR): Inspector {
  return {
    exists: ({ kind, id, ...rest }) => (kind === 'document' ? there(corpus.stat(id)).then((found) => found !== undefined) : own.exists({ kind, id, ...rest })),
    current: async (access: Access) => {
      if (access.kind !== 'document') return own.current?.(access)
      const document: CorpusDocument | undefined = await there(corpus.read(access.id))
      return document && { text: new TextDecoder().decode(document.bytes), digest: document.sha256 }
    },
  }
}

/** Nothing there is an answer; everything else that is wrong is said. */
const there = <T>(look: Promise<T>): Promise<T | undefined> =>
  look.catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'file.unavailable') return undefined
    throw error
  })

/** The same, and files of this machine. */
export function localInspector({ localFiles, commands }: Pick<Services, 'localFiles' | 'commands'>, rest: Inspector): Inspector {
  return {
    ...rest,
    exists: (access) => (access.kind === 'local_file' ? localFiles.exists(access.id) : rest.exists(access)),
    async current(access) {
      if (access.kind !== 'local_file') return rest.current?.(access)
      const found = await there(localFiles.read(access.id))
      return found && { text: found.text, digest: found.sha256 }
    },
    places: (path, use) => localFiles.places(path, use),
    edited: async (path, oldText, newText) => (await localFiles.edited(path, oldText, newText)).text,
    command: (argv) => commands.judge(argv),
  }
}
