import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDatabase } from './database.ts'

const require = createRequire(import.meta.url)

/** Holds the write lock of a database in the old journal mode for a moment, and then commits a row. */
const HOLDER = `
const { workerData: { file, state, library } } = require('node:worker_threads')
const db = new (require(library))(file)
db.exec('BEGIN IMMEDIATE; CREATE TABLE t(a); INSERT INTO t VALUES (1)')
Atomics.store(state, 0, 1)
setTimeout(() => db.exec('COMMIT'), 200)
`

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'arrowhead-db-'))
  file = join(folder, 'data', 'inner', 'x.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const mode = (path: string): number => statSync(path).mode & 0o777
const counted = (path: string): unknown => {
  const db = openDatabase(path, { access: 'read' })
  const row = db.get('SELECT count(*) AS n FROM t')
  db.close()
  return row?.['n']
}

describe('a database file', () => {
  it.skipIf(process.platform === 'win32')('is private, and so are the folders made for it', () => {
    const db = openDatabase(file)
    db.exec('CREATE TABLE t(a)')
    expect([mode(join(folder, 'data')), mode(join(folder, 'data', 'inner'))]).toEqual([0o700, 0o700])
    expect([mode(file), mode(`${file}-wal`), mode(`${file}-shm`)]).toEqual([0o600, 0o600, 0o600])
    db.close()
  })

  it.skipIf(process.platform === 'win32')('that others could read is made private when it is opened', () => {
    const open = join(folder, 'open.db')
    writeFileSync(open, '', { mode: 0o644 })
    openDatabase(open).close()
    expect(mode(open)).toBe(0o600)
  })

  it('is opened in the write-ahead log, normal synchronisation, waiting and foreign keys', () => {
    const db = openDatabase(file)
    const pragma = (name: string): unknown => Object.values(db.get(`PRAGMA ${name}`) ?? {})
    expect(pragma('journal_mode')).toEqual(['wal'])
    expect(pragma('synchronous')).toEqual([1])
    expect(pragma('busy_timeout')).toEqual([5_000])
    expect(pragma('foreign_keys')).toEqual([1])
    db.close()
  })

  it('waits for another writer before it enters the write-ahead log', async () => {
    mkdirSync(dirname(file), { recursive: true })
    const state = new Int32Array(new SharedArrayBuffer(4))
    const other = new Worker(HOLDER, { eval: true, workerData: { file, state, library: require.resolve('libsql') } })
    try {
      await vi.waitFor(() => expect(Atomics.load(state, 0)).toBe(1), { timeout: 10_000, interval: 1 })
      const db = openDatabase(file)
      expect(db.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' })
      expect(db.all('SELECT a FROM t')).toEqual([{ a: 1 }])
      db.close()
    } finally {
      await other.terminate()
    }
  })

  it('is not followed through a symbolic link', () => {
    const link = join(folder, 'link.db')
    symlinkSync(join(folder, 'elsewhere.db'), link)
    expect(() => openDatabase(link)).toThrow('not a regular file')
    expect(existsSync(join(folder, 'elsewhere.db'))).toBe(false)
  })

  it('is not created by a reader, which cannot write either', () => {
    expect(() => openDatabase(file, { access: 'read' })).toThrow('ENOENT')
    openDatabase(file).exec('CREATE TABLE t(a)')
    const reader = openDatabase(file, { access: 'read' })
    expect(() => reader.run('INSERT INTO t VALUES (1)')).toThrow('readonly')
    reader.close()
    expect(counted(file)).toBe(0)
  })

  it('that is no database is an error', () => {
    const text = join(folder, 'text.db')
    writeFileSync(text, 'just a text, and long enough to be taken for a header of something else'.repeat(20))
    expect(() => openDatabase(text)).toThrow('not a database')
  })
})

describe('a transaction', () => {
  it('keeps all of its work or none, and hands the error on', () => {
    const db = openDatabase(file)
    db.exec('CREATE TABLE t(a)')
    expect(db.transaction('immediate', () => db.run('INSERT INTO t VALUES (?)', 1).changes)).toBe(1)
    const boom = new Error('boom')
    const failing = (): void => {
      db.run('INSERT INTO t VALUES (?)', 2)
      throw boom
    }
    expect(() => db.transaction('immediate', failing)).toThrow(boom)
    expect(counted(file)).toBe(1)
    db.transaction('immediate', () => db.run('INSERT INTO t VALUES (?)', 3))
    expect(db.all('SELECT a FROM t ORDER BY a')).toEqual([{ a: 1 }, { a: 3 }])
    db.close()
  })

  it('reads one snapshot while another connection writes', () => {
    const writer = openDatabase(file)
    writer.exec('CREATE TABLE t(a)')
    const reader = openDatabase(file, { access: 'read' })
    const count = (): unknown => reader.get('SELECT count(*) AS n FROM t')
    reader.transaction('deferred', () => {
      const before = count()
      writer.run('INSERT INTO t VALUES (?)', 1)
      expect(count()).toEqual(before)
    })
    expect(count()).toEqual({ n: 1 })
    reader.close()
    writer.close()
  })
})

describe('an open database', () => {
  it('takes every kind of value as a single one', () => {
    const db = openDatabase(file)
    const same = (value: Parameters<typeof db.get>[1]): unknown => db.get('SELECT ? AS v', value ?? null)?.['v']
    expect([same(null), same('é'), same(1.5), same(7)]).toEqual([null, 'é', 1.5, 7])
    expect([...(same(new Uint8Array([1, 0, 2])) as Uint8Array)]).toEqual([1, 0, 2])
    db.close()
  })

  it('notices that its file was deleted or replaced', () => {
    const db = openDatabase(file)
    expect(db.stale()).toBe(false)
    unlinkSync(file)
    expect(db.stale()).toBe(true)
    writeFileSync(file, '')
    expect(db.stale()).toBe(true)
    db.close()
  })

  it('refuses work after it was closed, and may be closed twice', () => {
    const db = openDatabase(file)
    db.close()
    db.close()
    expect(() => db.get('SELECT 1')).toThrow('closed')
    expect(() => db.exec('SELECT 1')).toThrow()
  })
})
