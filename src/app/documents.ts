/** Opens what the docs family reads, searches, scans and writes with. Nothing touches the disk before its first use. */

import { join } from 'node:path'
import { ConfigError } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { ContentPort } from '../kernel/ports/content.ts'
import type { OpenCorpus } from '../kernel/ports/corpus.ts'
import type { TextScan, TextSearch } from '../kernel/ports/texts.ts'
import { holdsCredentials } from '../policy/credential-paths.ts'
import { parseRelativePath } from '../policy/relative-path.ts'
import { createSanitiser } from '../services/content/index.ts'
import { createJailedCorpus, createS3Corpus } from '../services/corpus/index.ts'
import type { Scanner } from '../services/secrets/index.ts'
import type { AppOptions } from './ports.ts'

export interface Documents {
  readonly content: ContentPort
  readonly corpus: OpenCorpus
  readonly search: TextSearch
  readonly scan: TextScan
  /** The one scanner of this process: its tags are the same wherever they are shown. */
  scanner(): Promise<Scanner>
  close(): Promise<void>
}

/** Bytes that one search reads; what is left of a larger corpus is said to be left. */
const SEARCH_READ_BYTES = 256_000_000

export function openDocuments(settings: Settings, clock: Clock, { dataDir = settings.dataDir }: AppOptions): Documents {
  const corpus = bucketCorpus(settings, clock) ?? createJailedCorpus({
    root: settings.docsRoot,
    extensions: settings.docAllowedExtensions,
    maxDocumentBytes: settings.docMaxBytes,
    maxWriteBytes: settings.docWriteMaxBytes,
    quotaBytes: settings.docWriteQuotaBytes,
    ledgerFile: dataDir && join(dataDir, 'corpus.sqlite'),
    clock,
  })
  const scanner = once(async () => (await import('../services/secrets/index.ts')).createScanner())
  const search = once(async () => (await import('../services/matcher/index.ts')).createTextSearch({ ...searchOptions(settings), clock }))
  const scan = once(async () => (await import('../services/secrets/index.ts')).createTextScan({ ...scanOptions(settings), clock, scanner: await scanner() }))
  return {
    content: createSanitiser({
      maxBytes: settings.contentMaxBytes,
      json: { maxDepth: settings.jsonMaxDepth, maxElements: settings.jsonMaxElements },
    }),
    corpus, scanner,
    search: { find: async (source, query, watching) => (await search()).find(source, query, watching) },
    scan: { scan: async (source, watching) => (await scan()).scan(source, watching) },
    close: () => corpus.close(),
  }
}

/** @throws ConfigError for a bucket without a key. */
function bucketCorpus(settings: Settings, clock: Clock): OpenCorpus | undefined {
  const { docsS3Url: url, docsS3AccessKeyId: accessKeyId, docsS3SecretAccessKey: secretAccessKey } = settings
  if (url === undefined) return undefined
  if (accessKeyId === undefined || secretAccessKey === undefined) throw new ConfigError(['ARROWHEAD_DOCS_S3_URL: needs ARROWHEAD_DOCS_S3_ACCESS_KEY_ID and ARROWHEAD_DOCS_S3_SECRET_ACCESS_KEY'])
  const { protocol, hostname, port, pathname } = new URL(url)
  if (pathname === '/') throw new ConfigError(['ARROWHEAD_DOCS_S3_URL: names no bucket'])
  // The operator named this one endpoint, so it may be an internal one; nothing else is reached through this client.
  const endpoint = `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
  const client = once(async () => (await import('../exits/net/index.ts')).createOperatorClient({ internalHosts: [endpoint], userAgent: 'arrowhead' }))
  return createS3Corpus({
    url, accessKeyId, secretAccessKey, client, clock, region: settings.docsS3Region, cacheBytes: settings.docsS3CacheBytes,
    parsePath: parseRelativePath, holdsCredentials, extensions: settings.docAllowedExtensions,
    maxDocumentBytes: settings.docMaxBytes, maxWriteBytes: settings.docWriteMaxBytes, quotaBytes: settings.docWriteQuotaBytes,
  })
}

/** What is heavy is loaded by the first who needs it. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => (loaded ??= load())
}

const searchOptions = (settings: Settings) => ({
  limits: {
    maxFiles: settings.searchMaxFiles,
    maxFileBytes: settings.docMaxBytes,
    maxReadBytes: SEARCH_READ_BYTES,
    maxResults: settings.searchMaxResults,
    maxSnippetBytes: settings.searchMaxTotalBytes,
    timeoutMs: settings.callTimeoutSeconds * 1000,
  },
  regexEnabled: settings.searchRegexEnabled,
  regexTimeoutMs: settings.searchRegexTimeoutMs,
  queryMaxChars: settings.searchQueryMaxLength,
  snippetMaxChars: settings.searchSnippetMaxChars,
})

const scanOptions = (settings: Settings) => ({
  maxFiles: settings.scanMaxFiles,
  maxFileBytes: settings.scanPerFileMaxBytes,
  maxFindings: settings.scanMaxFindings,
  timeoutMs: settings.scanTimeoutSeconds * 1000,
})
