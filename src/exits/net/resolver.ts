/** Names to addresses by the operating system, every address, in the order it prefers. */

import { lookup } from 'node:dns/promises'
import type { Resolver } from './ports.ts'

export const systemResolver: Resolver = async (host) => {
  const answers = await lookup(host, { all: true, verbatim: true })
  return answers.map(({ address }) => address)
}
