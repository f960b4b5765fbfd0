/** Unguessable identifiers. Random bytes are drawn by the page: one system call for hundreds of ids. */

import { randomFillSync } from 'node:crypto'

const ID_BYTES = 12
const page = Buffer.alloc(ID_BYTES * 341)
let at = page.length

/** 96 random bits in 16 URL-safe characters: nobody guesses a call, an incident or a fence. */
export function newId(): string {
  if (at >= page.length) {
    randomFillSync(page)
    at = 0
  }
  return page.toString('base64url', at, (at += ID_BYTES))
}
