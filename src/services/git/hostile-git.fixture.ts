/** Repositories that no git would make: built object by object, so that each can hold what is meant to do harm. */

import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createDeflate, deflateSync } from 'node:zlib'

type Kind = 'blob' | 'tree' | 'commit'

export interface Built {
  readonly folder: string
  /** @returns the object's id. */
  object(kind: Kind, bytes: Uint8Array): string
  tree(entries: readonly { readonly mode: string; readonly name: string; readonly id: string }[]): string
  /** On `main`, which is checked out. */
  commit(tree: string, parents?: readonly string[]): string
  /** A file of the repository's own folder. */
  own(path: string, text: string | Uint8Array): void
  /** A blob of that many zeros, which takes a thousandth of it on disk. */
  bomb(bytes: number): Promise<string>
}

export function buildRepository(folder: string): Built {
  const own = (path: string, text: string | Uint8Array): void => {
    const at = join(folder, '.git', path)
    mkdirSync(dirname(at), { recursive: true })
    writeFileSync(at, text)
  }
  const place = (id: string): string => `objects/${id.slice(0, 2)}/${id.slice(2)}`
  const object = (kind: Kind, bytes: Uint8Array): string => {
    const whole = Buffer.concat([Buffer.from(`${kind} ${bytes.length}\0`), bytes])
    const id = createHash('sha1').update(whole).digest('hex')
    own(place(id), deflateSync(whole, { level: 1 }))
    return id
  }
  own('HEAD', 'ref: refs/heads/main\n')
  own('config', '[core]\n\trepositoryformatversion = 0\n\tbare = false\n')
  mkdirSync(join(folder, '.git/objects'), { recursive: true })
  return {
    folder, own, object,
    tree: (entries) => object('tree', Buffer.concat(entries.map(({ mode, name, id }) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])))),
    commit(tree, parents = []) {
      const who = 'Eve <eve@example.com> 1700000000 +0000'
      const id = object('commit', Buffer.from(`tree ${tree}\n${parents.map((parent) => `parent ${parent}\n`).join('')}author ${who}\ncommitter ${who}\n\nfirst\n`))
      own('refs/heads/main', `${id}\n`)
      return id
    },
    async bomb(bytes) {
      const head = Buffer.from(`blob ${bytes}\0`)
      const hash = createHash('sha1').update(head)
      const deflate = createDeflate({ level: 9 })
      const chunks: Buffer[] = []
      deflate.on('data', (chunk: Buffer) => void chunks.push(chunk))
      const ended = new Promise((done) => deflate.once('end', done))
      deflate.write(head)
      const zeros = Buffer.alloc(1_000_000)
      for (let left = bytes; left > 0; left -= zeros.length) {
        const chunk = zeros.subarray(0, Math.min(left, zeros.length))
        hash.update(chunk)
        if (!deflate.write(chunk)) await new Promise((done) => deflate.once('drain', done))
      }
      deflate.end()
      await ended
      const id = hash.digest('hex')
      own(place(id), Buffer.concat(chunks))
      return id
    },
  }
}
