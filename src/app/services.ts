/** Opens the embedded adapter behind each port. Nothing heavy loads before it is used. */

import type { Settings } from '../config/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Bus } from '../kernel/ports/bus.ts'
import type { Store } from '../kernel/ports/store.ts'
import type { Egress, Services } from '../kernel/services.ts'
import { createFiles } from '../services/files/read-only-files.ts'
import { createSymbols } from '../services/symbols/index.ts'
import { contextStores } from './context-stores.ts'
import { openContext } from './context.ts'
import { openDocuments } from './documents.ts'
import type { Documents } from './documents.ts'
import { lazyMemory } from './memory.ts'
import { openLocal } from './local.ts'
import type { Local } from './local.ts'
import { openModels } from './models.ts'
import { lazyWebhooks } from './notify.ts'
import { isEmbedded, openData } from './data.ts'
import type { AppOptions } from './ports.ts'
import { lazyTasks } from './tasks.ts'
import type { Ways } from '../services/tasks/index.ts'
import { openRunner } from './runner.ts'
import { ASSISTANT } from './gates.ts'
import { openSql } from './sql.ts'
import { openRepo } from './repo.ts'

export interface OpenServices {
  readonly services: Services
  /** What takes credentials out of an answer that declares it. */
  readonly scanner: Documents['scanner']
  readonly undo: Local['undo']
  readonly security: Local['security']
  /** From now on what is due in the background is done. */
  begin(ways: Ways): void
  close(): Promise<void>
}

export interface ServiceParts extends Pick<Services, 'surface'> {
  /** The other processes of this deployment, where it has a way to them. */
  readonly bus?: Bus | undefined
  /** The server that keeps state instead of the data directory. */
  readonly store?: Store | undefined
}

export function createServices(settings: Settings, clock: Clock, options: AppOptions, { surface, bus, store }: ServiceParts): OpenServices {
  const dataDir = options.dataDir ?? settings.dataDir
  const documents = openDocuments(settings, clock, options)
  const files = createFiles({ root: settings.jailRoot, maxBytes: settings.readFileMaxBytes })
  const { tasks, begin, close: closeTasks } = lazyTasks({ settings, clock, dataDir, log: options.log, store, bus })
  const data = openData(settings, clock, options, documents.corpus)
  const { memories, keyValues, close: closeMemory } = lazyMemory(settings, { clock, store, embedder: data.embedder })
  const { sql, close: closeSql } = openSql(settings, isEmbedded(settings) ? async () => (await import('../services/sql/embedded-engine.ts')).createEmbeddedEngine(() => data.database) : undefined)
  const symbols = createSymbols()
  const repo = openRepo(settings, symbols)
  const stores = contextStores(settings, { corpus: documents.corpus, content: documents.content, repo, symbols, clock, dataDir, onFault: (error) => void options.log?.(JSON.stringify({ event: 'warning', problem: `code index: ${String(error)}` })) })
  const local = openLocal(settings, { clock, options, search: documents.search })
  const context = openContext(settings, options, { ...stores, store })
  const services: Services = {
    ...context.services,
    ...local.services,
    bounds: { expressionMaxLength: settings.expressionMaxLength, diffMaxBytes: settings.diffMaxBytes, packMaxTokens: settings.packMaxTokens },
    clock,
    content: documents.content,
    corpus: documents.corpus,
    egress: lazyEgress(settings, options),
    // The assistant's own files are those of the person, by the path policy.
    files: settings.profile === ASSISTANT ? { text: async (path) => (await local.services.localFiles.read(path)).text } : files,
    scan: documents.scan,
    search: documents.search,
    keyValues,
    memories,
    models: openModels(settings, clock, options),
    runner: openRunner(settings, options),
    sql,
    repo,
    surface,
    vectors: data.vectors,
    tasks,
    webhooks: lazyWebhooks(settings, clock, options),
    ...options.replace?.services,
  }
  return {
    services, begin, undo: local.undo, security: local.security,
    scanner: documents.scanner,
    async close() {
      await closeTasks()
      await local.close()
      await files.close()
      await documents.close()
      await stores.close()
      await context.close()
      await closeMemory()
      await closeSql()
      await repo.close()
      await data.close()
    },
  }
}

/** The network exit brings TLS, DNS and decoders along, so it is loaded by the first fetch and not by the start. */
function lazyEgress(settings: Settings, { ownAddresses }: AppOptions): Egress {
  let opened: Promise<Egress> | undefined
  const open = async (): Promise<Egress> => {
    const { createEgress } = await import('../exits/net/index.ts')
    return createEgress({
      allowedHosts: settings.egressAllowedHosts,
      allowedPorts: settings.egressAllowedPorts,
      maxBytes: settings.fetchMaxResponseBytes,
      timeoutMs: settings.fetchTimeoutSeconds * 1000,
      maxRedirects: settings.fetchMaxRedirects,
      userAgent: 'arrowhead',
      ownAddresses,
    })
  }
  return { get: async (url, signal, approve) => (await (opened ??= open())).get(url, signal, approve) }
}
