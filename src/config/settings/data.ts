/** The SQL connector, vector and full-text search, embeddings, ingestion. */

import { bytes, characters, choice, count, list, seconds, toggle } from '../kinds.ts'
import { connection, webUrl } from '../network-kinds.ts'
import { section, setting } from '../setting.ts'
import { identifier, line } from '../text-kinds.ts'

const DATABASE = 'postgresql://reader@db.example.com/app'

export const sql = section('SQL connector', {
  SQL_DSN: setting(connection(DATABASE), {
    secret: true,
    says: 'Database that read-only queries and searches run against, best with a role that can only read; unset, an embedded database serves them.',
  }),
  SQL_DIALECT: setting(choice(['postgres', 'mysql', 'sqlite']), {
    says: 'Dialect in which queries are judged; unset, it is taken from the scheme of the DSN.',
  }),
  SQL_QUERY_MAX_LENGTH: setting(characters(1_000_000), { default: 2000, says: 'Longest SQL statement.' }),
  SQL_MAX_ROWS: setting(count(1_000_000), { default: 1000, says: 'Most rows one query returns.' }),
  SQL_MAX_BYTES: setting(bytes(1_000_000_000), { default: 1_000_000, says: 'Most bytes one query returns.' }),
  SQL_MAX_COLUMNS: setting(count(10_000), { default: 100, says: 'Most columns one query returns.' }),
  SQL_CLAIMS: setting(list(identifier()), {
    says: 'Claims of the verified token that a query may bind, org as :claim.org; unset or empty, :claim.sub alone, the subject.',
  }),
  SQL_TIMEOUT_SECONDS: setting(seconds(3600), {
    default: 10,
    says: 'Longest time one query may run, enforced by the database where it can.',
  }),
})

const column = (name: string, holds: string) =>
  setting(identifier(), { default: name, says: `Column of a collection that holds ${holds}.` })

export const pgvector = section('Vector search', {
  PGVECTOR_COLLECTIONS: setting(list(identifier()), {
    says: 'Tables that may be searched and filled, by name; unset, it is doc_chunks in the embedded database, and on a server vector search refuses; an empty list allows no table.',
  }),
  PGVECTOR_TENANT_COLUMN: column('tenant', 'the owner of a row, always compared with the caller'),
  PGVECTOR_ID_COLUMN: column('id', 'the key of a row'),
  PGVECTOR_CONTENT_COLUMN: column('content', 'the text of a chunk'),
  PGVECTOR_EMBEDDING_COLUMN: column('embedding', 'the vector of a chunk'),
  PGVECTOR_SOURCE_COLUMN: column('source', 'the document a chunk was cut from'),
  PGVECTOR_CHUNK_INDEX_COLUMN: column('chunk_index', 'the position of a chunk in its document, from 0'),
  PGVECTOR_CONTENT_HASH_COLUMN: column('content_hash', 'the hash by which an unchanged chunk is recognised'),
  PGVECTOR_TSVECTOR_COLUMN: column('content_tsv', 'the full-text index of a chunk'),
  PGVECTOR_MAX_K: setting(count(10_000), { default: 50, says: 'Most neighbours one search may ask for.' }),
  PGVECTOR_MAX_DIMENSIONS: setting(count(16_000), {
    default: 2000,
    says: 'Most numbers a query vector may have.',
  }),
})

export const embeddings = section('Embeddings', {
  EMBEDDING_PROVIDER: setting(choice(['deterministic', 'http', 'local']), {
    default: 'deterministic',
    says: 'Who turns text into vectors: deterministic works offline without any notion of meaning, http asks an OpenAI-compatible endpoint, and local runs a small English model in this process (experimental; its packages are installed apart, and it gives 512 dimensions).',
  }),
  EMBEDDING_DIMENSIONS: setting(count(16_000), { default: 1536, says: 'Numbers in every embedding vector.' }),
  EMBEDDING_ENDPOINT: setting(webUrl(), {
    says: 'URL of the http provider, whose host must be open to egress; unset, that provider cannot be chosen.',
  }),
  EMBEDDING_MODEL: setting(line(200), {
    says: 'Model the http provider is asked for; unset, the endpoint chooses.',
  }),
  EMBEDDING_API_KEY: setting(line(4096), {
    secret: true,
    says: 'Key sent to the embedding endpoint and nowhere else; unset, no key is sent.',
  }),
  EMBEDDING_BATCH_SIZE: setting(count(10_000), { default: 64, says: 'Texts sent to the endpoint in one request.' }),
  EMBEDDING_TIMEOUT_SECONDS: setting(seconds(600), {
    default: 30,
    says: 'Longest time one request to the endpoint may take.',
  }),
  EMBEDDING_MAX_TEXTS: setting(count(10_000_000), { default: 10_000, says: 'Most texts one call may embed.' }),
  EMBEDDING_MAX_RESPONSE_BYTES: setting(bytes(1_000_000_000), {
    default: 8_000_000,
    says: 'Largest response the endpoint may send; a larger one is refused.',
  }),
})

export const ingestion = section('Vector ingestion', {
  VECTOR_WRITE_DSN: setting(connection('postgresql://writer@db.example.com/app'), {
    secret: true,
    says: 'Database connection that may write chunks, apart from the read-only one; with ARROWHEAD_SQL_DSN set and this one unset, doc_index refuses.',
  }),
  VECTOR_INDEX_MAX_FILES: setting(count(1_000_000), { default: 500, says: 'Most documents one call indexes.' }),
  VECTOR_INDEX_MAX_CHUNKS: setting(count(10_000_000), { default: 5000, says: 'Most chunks one call writes.' }),
  VECTOR_INDEX_CHUNK_MAX_CHARS: setting(characters(1_000_000), {
    default: 1500,
    says: 'Longest chunk cut from prose.',
  }),
  VECTOR_INDEX_CHUNK_OVERLAP: setting(count(1_000_000, 0), {
    default: 200,
    says: 'Characters a chunk repeats from the one before; less than a chunk is long.',
  }),
  VECTOR_INDEX_TIMEOUT_SECONDS: setting(seconds(3600), {
    default: 30,
    says: 'Longest time one call may spend indexing.',
  }),
  CODE_CHUNK_MAX_CHARS: setting(characters(1_000_000), {
    default: 2000,
    says: 'Longest chunk cut from source code, which is cut along its structure.',
  }),
  INDEX_REUSE_UNCHANGED: setting(toggle(), {
    default: true,
    says: 'Whether chunks with an unchanged hash keep their stored vector; off, a document is deleted and written anew.',
  }),
})

export const hybrid = section('Hybrid retrieval', {
  HYBRID_RRF_K: setting(count(10_000), {
    default: 60,
    says: 'Constant of reciprocal rank fusion; a larger one flattens the weight of the first ranks.',
  }),
  HYBRID_CANDIDATE_MULTIPLIER: setting(count(100), {
    default: 4,
    says: 'How many times the wanted number of hits each branch contributes before fusion.',
  }),
  FTS_LANGUAGE: setting(identifier(), {
    default: 'english',
    says: 'Postgres text search configuration used for full text; it must be installed in the database.',
  }),
})
