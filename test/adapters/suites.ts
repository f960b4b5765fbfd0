/** Which contract suites there are and which adapters they are run on, as the test files of this folder say. */

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface Suite {
  /** What is promised, such as `corpus`. */
  readonly port: string
  /** Who is held to it, in the words of the test. */
  readonly adapter: string
  /** File of the tests, without its folder. */
  readonly file: string
}

const CALL = /\b(\w+)Contract\('([^']+)'/g
const spelled = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Every call of a contract in a test file, in the order of ports. @param folder this folder. */
export const suitesIn = (folder: string): readonly Suite[] =>
  readdirSync(folder).filter((file) => file.endsWith('.test.ts')).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(CALL)].map(([, port = '', adapter = '']) => ({ port: spelled(port), adapter, file })))
    .sort((a, b) => a.port.localeCompare(b.port) || a.adapter.localeCompare(b.adapter))

export const rowOf = ({ port, adapter, file }: Suite, tests: number): string => `| ${port} | ${adapter} | ${tests} | \`${file}\` |`
