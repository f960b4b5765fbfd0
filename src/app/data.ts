/** Wires the data family: which database, which embedder, which documents. Nothing is opened before it is used. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Settings } from '../config/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Database } from '../kernel/ports/database.ts'
import type { Embedder } from '../kernel/ports/embedding.ts'
import { recallOf } from '../kernel/ports/vectors.ts'
import type { Vectors } from '../kernel/ports/vectors.ts'
import type { OperatorClient } from '../exits/net/index.ts'
import { refusal } from '../kernel/refusal.ts'
import { isPostgres } from '../services/database/connection-string.ts'
import { createDeterministicEmbedder, createHttpEmbedder, createLocalEmbedder } from '../services/embedding/index.ts'
import type { CollectionSchema, ColumnNames, Documents, IndexLimits } from '../services/vectors/index.ts'
import type { AppOptions } from './ports.ts'

/** What is searched where the operator named no collection and the database is the embedded one. */
const OWN_COLLECTION = 'doc_chunks'
/** Where the prepared database lies, seen from a module of the package or from a bundle of it. */
const TEMPLATE_PLACES = ['../postgres-template.tgz', '../../postgres-template.tgz']

/** Whether the data family has its own database, because no server is named for it. */
export const isEmbedded = ({ sqlDsn, vectorWriteDsn }: Settings): boolean => !isPostgres(sqlDsn) && !isPostgres(vectorWriteDsn)

export const collectionsOf = (settings: Settings): readonly string[] | undefined =>
  settings.pgvectorCollections ?? (isEmbedded(settings) ? [OWN_COLLECTION] : undefined)

export interface DataOptions {
  readonly clock: Clock
  /** Folder for databases; undefined where the app has none. */
  readonly folder: string | undefined
  readonly documents: Documents
  /** A prepared database to use instead of the packaged one. */
  readonly template?: string | undefined
}

export interface DataServices {
  /** The database that collections live in, and, where it is embedded, the user's own tables. */
  readonly database: Database
  readonly vectors: Vectors
  readonly embedder: Embedder
  close(): Promise<void>
}

/** The data family of an app, over the documents of its settings. */
export const openData = (settings: Settings, clock: Clock, { dataDir = settings.dataDir }: AppOptions, documents: Documents): DataServices =>
  createDataServices(settings, { clock, folder: dataDir, documents })

export function createDataServices(settings: Settings, options: DataOptions): DataServices {
  const database = createDatabase(settings, options)
  const embedder = createEmbedder(settings)
  const vectors = vectorsOver(settings, options, { database, embedder })
  return {
    database, vectors, embedder,
    async close() {
      await embedder.close()
      await database.close()
    },
  }
}

export const collectionSchema = (settings: Settings, collections = collectionsOf(settings) ?? []): CollectionSchema => ({
  collections, dimensions: settings.embeddingDimensions, columns: columnsOf(settings), language: settings.ftsLanguage,
})

/** Loads and opens nothing before the first statement. */
export function createDatabase(settings: Settings, options: Pick<DataOptions, 'folder' | 'template'>): Database {
  let opened: Promise<Database> | undefined
  let closed = false
  const open = (): Promise<Database> => {
    if (closed) throw refusal('database.unavailable', undefined, 'closed')
    return (opened ??= loadDatabase(settings, options))
  }
  return {
    query: async (statement, session) => (await open()).query(statement, session),
    transaction: async (statements, session) => (await open()).transaction(statements, session),
    migrate: async (migrations) => (await open()).migrate(migrations),
    async close() {
      closed = true
      await (await opened)?.close()
    },
  }
}

async function loadDatabase(settings: Settings, { folder, template }: Pick<DataOptions, 'folder' | 'template'>): Promise<Database> {
  const { createEmbeddedDatabase, createPostgresDatabase } = await import('../services/database/index.ts')
  const { sqlDsn, vectorWriteDsn } = settings
  if (!isEmbedded(settings)) {
    return createPostgresDatabase({ readDsn: isPostgres(sqlDsn) ? sqlDsn : undefined, writeDsn: isPostgres(vectorWriteDsn) ? vectorWriteDsn : undefined })
  }
  return createEmbeddedDatabase({ folder: folder && join(folder, 'postgres-18'), template: template ?? packagedTemplate() })
}

const packagedTemplate = (): string | undefined => TEMPLATE_PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((file) => existsSync(file))

export function createEmbedder(settings: Settings): Embedder {
  const { embeddingProvider: provider, embeddingDimensions: dimensions, embeddingMaxTexts: maxTexts, embeddingEndpoint: endpoint } = settings
  if (provider === 'local') return createLocalEmbedder({ maxTexts })
  if (provider === 'deterministic' || endpoint === undefined) return createDeterministicEmbedder({ dimensions, maxTexts })
  return createHttpEmbedder({
    client: operatorClient(settings), endpoint, model: settings.embeddingModel, apiKey: settings.embeddingApiKey, dimensions,
    batchSize: settings.embeddingBatchSize, timeoutMs: settings.embeddingTimeoutSeconds * 1000, maxTexts, maxResponseBytes: settings.embeddingMaxResponseBytes,
  })
}

/** The network exit brings TLS, DNS and decoders along, so it is loaded by the first request. */
function operatorClient({ egressAllowedHosts: allowedHosts, egressAllowedPorts: allowedPorts, internalEndpoints = [] }: Settings): () => Promise<OperatorClient> {
  let opened: Promise<OperatorClient> | undefined
  const open = async (): Promise<OperatorClient> =>
    (await import('../exits/net/index.ts')).createOperatorClient({ allowedHosts, allowedPorts, internalHosts: internalEndpoints, userAgent: 'arrowhead' })
  return () => (opened ??= open())
}

function vectorsOver(settings: Settings, { clock, documents }: DataOptions, { database, embedder }: Pick<DataServices, 'database' | 'embedder'>): Vectors {
  let opened: Promise<Vectors> | undefined
  const load = async (): Promise<Vectors> => {
    const { createVectors, vectorMigrations } = await import('../services/vectors/index.ts')
    return createVectors({
      database, embedder, documents, collections: collectionsOf(settings),
      // A server's schema is its administrator's to change; the embedded one is this server's own.
      prepare: async () => void (isEmbedded(settings) && (await database.migrate(vectorMigrations(collectionSchema(settings))))),
      columns: columnsOf(settings), language: settings.ftsLanguage,
      maxK: settings.pgvectorMaxK, maxDimensions: settings.pgvectorMaxDimensions,
      rrfK: settings.hybridRrfK, candidateMultiplier: settings.hybridCandidateMultiplier,
      timeoutMs: settings.sqlTimeoutSeconds * 1000, maxBytes: settings.sqlMaxBytes, index: indexLimits(settings), ticks: () => clock.ticks(),
    })
  }
  const open = (): Promise<Vectors> => (opened ??= load())
  return {
    get recall() {
      return recallOf(embedder)
    },
    near: async (wanted) => (await open()).near(wanted),
    alike: async (wanted) => (await open()).alike(wanted),
    fused: async (wanted) => (await open()).fused(wanted),
    index: async (run) => (await open()).index(run),
  }
}

const indexLimits = (settings: Settings): IndexLimits => ({
  proseMaxChars: settings.vectorIndexChunkMaxChars, codeMaxChars: settings.codeChunkMaxChars, overlapChars: settings.vectorIndexChunkOverlap,
  maxFiles: settings.vectorIndexMaxFiles, maxChunks: settings.vectorIndexMaxChunks, timeoutMs: settings.vectorIndexTimeoutSeconds * 1000,
  reuseUnchanged: settings.indexReuseUnchanged,
})

const columnsOf = (settings: Settings): ColumnNames => ({
  tenant: settings.pgvectorTenantColumn, id: settings.pgvectorIdColumn, content: settings.pgvectorContentColumn, embedding: settings.pgvectorEmbeddingColumn,
  source: settings.pgvectorSourceColumn, chunkIndex: settings.pgvectorChunkIndexColumn, contentHash: settings.pgvectorContentHashColumn,
  tsvector: settings.pgvectorTsvectorColumn,
})
