/** Matches concrete URIs against a template with one variable (RFC 6570 §3.2.2, §3.2.3). */

type Match = (uri: string) => Readonly<Record<string, string>> | undefined

const VARIABLE = /^([^{}]*)\{(\+?)([a-z][a-z0-9_]*)\}([^{}]*)$/
const MAX_URI = 8_192

/** `match` is undefined for a plain URI. @throws TypeError for a template of more than one variable. */
export function templateMatcher(template: string): { readonly match: Match | undefined; readonly names: readonly string[] } {
  if (!template.includes('{')) return { match: undefined, names: [] }
  const [, prefix, reserved, name, suffix] = VARIABLE.exec(template) ?? []
  if (prefix === undefined || name === undefined || suffix === undefined) throw new TypeError('a URI template has one variable')
  return {
    names: [name],
    match(uri) {
      if (uri.length > MAX_URI || uri.length < prefix.length + suffix.length || !uri.startsWith(prefix) || !uri.endsWith(suffix)) return undefined
      const value = decode(uri.slice(prefix.length, uri.length - suffix.length))
      if (value === undefined || value === '' || (reserved === '' && value.includes('/'))) return undefined
      return { [name]: value }
    },
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
