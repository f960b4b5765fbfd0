/** Header fields as they arrived. Building Node's own map of all of them costs more than looking for one. */

import type { IncomingMessage } from 'node:http'

/** Every value of a field, in order. @param name in lower case */
export function valuesOf({ rawHeaders }: IncomingMessage, name: string): readonly string[] {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const field = rawHeaders[at] ?? ''
    if (field === name || (field.length === name.length && field.toLowerCase() === name)) values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}
