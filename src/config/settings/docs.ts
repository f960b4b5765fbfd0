/** The file jail of `read_file`, the document corpus, and the arithmetic tool. */

import { bytes, characters, count, list, milliseconds, seconds, toggle } from '../kinds.ts'
import { webUrl } from '../network-kinds.ts'
import { section, setting } from '../setting.ts'
import { extension, line, path } from '../text-kinds.ts'

export const readFileJail = section('read_file jail', {
  JAIL_ROOT: setting(path(), {
    default: 'sandbox',
    says: 'The one folder read_file can see; a relative path starts at the working directory.',
  }),
  READ_FILE_MAX_BYTES: setting(bytes(1_000_000_000), {
    default: 1_000_000,
    says: 'Largest file read_file returns; a larger one is refused, not cut.',
  }),
})

export const corpus = section('Document corpus', {
  DOCS_ROOT: setting(path(), {
    default: 'documents',
    says: 'The folder that holds the document corpus; a relative path starts at the working directory.',
  }),
  DOCS_S3_URL: setting(webUrl(), {
    says: 'Bucket of an S3-compatible service that holds the corpus instead of the folder, as https://host/bucket or https://host/bucket/prefix; unset, the folder is used.',
  }),
  DOCS_S3_REGION: setting(line(100), { default: 'us-east-1', says: 'Region that requests to the bucket are signed for.' }),
  DOCS_S3_ACCESS_KEY_ID: setting(line(200), {
    secret: true,
    says: 'Name of the key that signs requests to the bucket; needed where a bucket is named.',
  }),
  DOCS_S3_SECRET_ACCESS_KEY: setting(line(500), {
    secret: true,
    says: 'The key itself, sent nowhere; needed where a bucket is named.',
  }),
  DOCS_S3_CACHE_BYTES: setting(bytes(1_000_000_000_000, 0), {
    default: 64_000_000,
    says: 'Most bytes of documents from the bucket that one process keeps in memory, each asked for again only by its ETag; 0 keeps none.',
  }),
  DOC_MAX_BYTES: setting(bytes(1_000_000_000), {
    default: 1_000_000,
    says: 'Largest document that is read; a larger one is refused.',
  }),
  DOC_ALLOWED_EXTENSIONS: setting(list(extension()), {
    default: ['.json', '.md', '.txt'],
    says: 'File name extensions that make a file a document; unset takes the default, and an empty list leaves the corpus without documents.',
  }),
  CONTENT_MAX_BYTES: setting(bytes(1_000_000_000), {
    default: 1_000_000,
    says: 'Most bytes of document content in one answer, counted after sanitising.',
  }),
  JSON_MAX_DEPTH: setting(count(1000), {
    default: 64,
    says: 'Deepest nesting of a JSON document that is returned.',
  }),
  JSON_MAX_ELEMENTS: setting(count(100_000_000), {
    default: 100_000,
    says: 'Most values (members and items, all levels together) of a JSON document that is returned.',
  }),
})

export const docSearch = section('doc_search', {
  SEARCH_QUERY_MAX_LENGTH: setting(characters(100_000), { default: 200, says: 'Longest search query.' }),
  SEARCH_REGEX_ENABLED: setting(toggle(), {
    default: false,
    says: 'Whether a query may be a regular expression instead of literal text.',
    risk: 'An expression costs more than literal text and can be written to cost as much as the time limit allows.',
  }),
  SEARCH_REGEX_TIMEOUT_MS: setting(milliseconds({ min: 1, max: 60_000 }), {
    default: 250,
    says: 'Longest time one regular expression may run before the search is stopped.',
  }),
  SEARCH_MAX_FILES: setting(count(10_000_000), { default: 2000, says: 'Most documents one search opens.' }),
  SEARCH_MAX_RESULTS: setting(count(100_000), { default: 50, says: 'Most hits one search returns.' }),
  SEARCH_MAX_TOTAL_BYTES: setting(bytes(1_000_000_000), {
    default: 200_000,
    says: 'Most bytes of snippets, all hits of one search together.',
  }),
  SEARCH_SNIPPET_MAX_CHARS: setting(characters(100_000), { default: 200, says: 'Longest snippet around one hit.' }),
})

export const docScan = section('doc_scan', {
  SCAN_MAX_FILES: setting(count(10_000_000), { default: 2000, says: 'Most documents one scan opens.' }),
  SCAN_PER_FILE_MAX_BYTES: setting(bytes(1_000_000_000), {
    default: 1_000_000,
    says: 'Largest document a scan reads; larger ones are skipped and counted.',
  }),
  SCAN_TIMEOUT_SECONDS: setting(seconds(3600), { default: 10, says: 'Longest time one scan may take.' }),
  SCAN_MAX_FINDINGS: setting(count(100_000), { default: 200, says: 'Most findings one scan reports.' }),
})

export const docWrite = section('doc_write', {
  DOC_WRITE_MAX_BYTES: setting(bytes(1_000_000_000), {
    default: 1_000_000,
    says: 'Largest document that may be written.',
  }),
  DOC_WRITE_QUOTA_BYTES: setting(bytes(10_000_000_000_000), {
    default: 50_000_000,
    says: 'Most bytes the whole corpus may hold after a write; a write beyond it is refused.',
  }),
  REQUIRE_WRITE_CONFIRMATION: setting(toggle(), {
    default: true,
    says: 'Whether a person is asked before an existing document is replaced.',
    risk: 'A caller that may write can replace documents and nobody is asked.',
  }),
})

export const calculate = section('calculate', {
  EXPRESSION_MAX_LENGTH: setting(characters(100_000), { default: 200, says: 'Longest arithmetic expression.' }),
})
