/** Unguessable identifiers. Random bytes are drawn and spelled by the page: one system call for many ids. */

import { randomFillSync } from 'node:crypto'

const [ID_BYTES, ID_CHARACTERS] = [12, 16]
const bytes = Buffer.alloc(ID_BYTES * 256)
let [page, at] = ['', 0]

/** 96 random bits in 16 URL-safe characters: nobody guesses a call, an incident or a fence. */
export function newId(): string {
  if (at >= page.length) [page, at] = [randomFillSync(bytes).toString('base64url'), 0]
  return page.slice(at, (at += ID_CHARACTERS))
}
