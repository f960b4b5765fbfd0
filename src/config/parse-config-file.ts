/**
 * Reads the text of a config file: one flat JSON object (RFC 8259). A key that is written twice is
 * a problem, because which one counts would be an accident.
 */

export interface ConfigFile {
  readonly entries: readonly (readonly [key: string, value: unknown])[]
  readonly problems: readonly string[]
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g

/** Keys that an object of a valid JSON text names twice, at any depth. */
function repeatedKeys(text: string): readonly string[] {
  const repeated = new Set<string>()
  const open: Set<string>[] = []
  let last = ''
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set())
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') {
      const key: unknown = JSON.parse(last)
      const seen = open.at(-1)
      if (typeof key !== 'string' || !seen) continue
      if (seen.has(key)) repeated.add(key)
      seen.add(key)
    }
    last = token
  }
  return [...repeated]
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Never throws. `$schema` is left out of the entries; it is for editors. */
export function parseConfigFile(source: string): ConfigFile {
  const text = source.replace(/^\uFEFF/, '')
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { entries: [], problems: ['the config file: accepts one JSON object whose keys are settings'] }
  }
  const entries = Object.entries(value).filter(([key]) => key !== '$schema')
  const twice = repeatedKeys(text)
  const problems =
    twice.length > 0 ? ['the config file: accepts every key once in an object, and some are repeated'] : []
  return { entries, problems }
}
