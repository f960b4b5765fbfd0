import { expect, it } from 'vitest'
import { portalReader } from './portal-reader.ts'

const CAPS = { maxRows: 100, maxBytes: 1_000, maxColumns: 2 }

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
const int = (value: number, bytes: 2 | 4): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeIntBE(value, 0, bytes)
  return buffer
}
const described = (...names: readonly string[]): Buffer =>
  message('T', Buffer.concat([int(names.length, 2), ...names.flatMap((name) => [Buffer.from(`${name}\0`), int(0, 4), int(0, 2), int(25, 4), int(-1, 2), int(-1, 4), int(0, 2)])]))
const row = (...cells: readonly (string | null)[]): Buffer =>
  message('D', Buffer.concat([int(cells.length, 2), ...cells.flatMap((cell) => (cell === null ? [int(-1, 4)] : [int(Buffer.byteLength(cell), 4), Buffer.from(cell)]))]))
const [SUSPENDED, READY] = [message('s', Buffer.alloc(0)), message('Z', Buffer.from('T'))]

/** An engine that gives these answers, one a turn, in pieces of so many bytes, out of memory that it uses again. */
function engine(answers: readonly Buffer[], pieceBytes = 7) {
  const turns: Buffer[] = []
  const send = async (messages: Uint8Array, onPiece: (piece: Uint8Array) => void): Promise<void> => {
    const answer = answers[turns.push(Buffer.from(messages)) - 1] ?? READY
    const memory = Buffer.alloc(pieceBytes)
    for (let at = 0; at < answer.length; at += pieceBytes) onPiece(memory.subarray(0, answer.copy(memory, 0, at)))
  }
  return { send, turns }
}

it('asks once where the rows end, whatever the pieces are', async () => {
  const { send, turns } = engine([Buffer.concat([described('a', 'b'), row('é', null), row('', 'x'), message('C', Buffer.from('SELECT 2\0')), READY])])
  expect(await portalReader().read(send, { sql: 'SELECT a, b FROM t WHERE a = $1', values: ['x\'; DROP', null] }, CAPS)).toEqual({
    columns: [{ name: 'a', typeOid: 25 }, { name: 'b', typeOid: 25 }], rows: [['é', null], ['', 'x']], truncated: false, changed: 0,
  })
  expect(turns).toHaveLength(1)
})

it('asks for more by what the rows weigh, and stops at each cap', async () => {
  const portion = (count: number, cell: string): Buffer => Buffer.concat([...Array.from({ length: count }, () => row(cell)), SUSPENDED, READY])
  const first = (count: number, cell: string): Buffer => Buffer.concat([described('a'), portion(count, cell)])
  const read = async (answers: readonly Buffer[], caps: Partial<typeof CAPS> = {}) => {
    const { send, turns } = engine(answers)
    const { rows, truncated } = await portalReader().read(send, { sql: 'table t', values: [] }, { ...CAPS, ...caps })
    return [rows.length, truncated, turns.map((asked) => asked.readInt32BE(asked.length - 9))]
  }
  expect(await read([first(50, 'x'), portion(51, 'x')])).toEqual([100, true, [50, 51]])
  expect(await read([first(50, 'x'), Buffer.concat([row('y'), READY])])).toEqual([51, false, [50, 51]])
  expect(await read([first(50, 'x'.repeat(15)), portion(16, 'x'.repeat(15)), READY])).toEqual([66, false, [50, 16, 1]])
  expect(await read([first(50, 'x'.repeat(21))])).toEqual([47, true, [50]])
  expect(await read([first(11, 'x')], { maxRows: 10 })).toEqual([10, true, [11]])
})

it('leaves out columns over their cap', async () => {
  const { send } = engine([Buffer.concat([described('a', 'b', 'c'), row('1', '2', '3'), READY])])
  expect(await portalReader().read(send, { sql: 'select 1', values: [] }, CAPS)).toMatchObject({ columns: [{ name: 'a' }, { name: 'b' }], rows: [['1', '2']], truncated: true })
})

it('keeps no more of an answer than a few times the cap of bytes', async () => {
  const { send, turns } = engine([Buffer.concat([described('a'), row('x'.repeat(3_000_000)), row('y'), SUSPENDED, READY])], 65_536)
  expect(await portalReader().read(send, { sql: 'select 1', values: [] }, CAPS)).toMatchObject({ rows: [], truncated: true })
  expect(turns).toHaveLength(1)
})

it('throws what Postgres refuses, by its code', async () => {
  const { send } = engine([Buffer.concat([message('E', Buffer.from('SERROR\0VERROR\0C42P01\0Mno such table\0\0')), READY])])
  await expect(portalReader().read(send, { sql: 'select * from t', values: [] }, CAPS)).rejects.toMatchObject({ code: '42P01', message: 'no such table' })
})

it.each(['RESET ROLE', 'COMMIT', 'do $$ begin end $$', 'SET ROLE postgres', 'COPY t TO STDOUT', 'selects', 'PREPARE p AS SELECT 1', ''])('sends nothing of %j', async (sql) => {
  const { send, turns } = engine([])
  await expect(portalReader().read(send, { sql, values: [] }, CAPS)).rejects.toMatchObject({ code: '42601' })
  expect(turns).toEqual([])
})
