/**
 * The kinds of setting whose value is a text: paths, names, keys, JSON. Every one refuses control
 * characters (PEM and JSON may have line breaks), so no value can forge a log line.
 */

import * as z from 'zod'
import { objectIn } from '../kernel/json-object.ts'
import { once } from './kinds.ts'
import type { Kind } from './kinds.ts'

interface TextShape {
  /** Without flags that change its meaning, because it becomes the pattern of a JSON Schema. */
  readonly pattern: RegExp
  readonly accepts: string
  /** Characters at most; 2048 unless set. */
  readonly max?: number
  /** A further check that a pattern cannot express. */
  readonly also?: (text: string) => boolean
  /** Whether it may hold line breaks and other control characters that the pattern lets through. */
  readonly mayBreak?: boolean
}

const CONTROL = /\p{Cc}/u

/** A text of one shape. */
export function shaped({ pattern, accepts, max = 2048, also = () => true, mayBreak = false }: TextShape): Kind<string> {
  const fits = (text: string): boolean => (mayBreak || !CONTROL.test(text)) && also(text)
  return {
    type: 'text',
    schema: once(() => z.string().min(1).max(max).regex(pattern).refine(fits)),
    accepts,
    blank: 'unset',
    parseText: (text) => text,
    fromFile: (value) => value,
    formatText: (value) => value,
  }
}

/** Free text on one line. */
export const line = (max = 2048): Kind<string> =>
  shaped({ pattern: /^.+$/, accepts: `one line of 1 to ${max} characters`, max })

/** A file or folder; who resolves a relative one is said by the setting. A home folder is for a shell to spell out: here it would be a folder of that name. */
export const path = (): Kind<string> =>
  shaped({ pattern: /^(?!~(?:[/\\]|$)).+$/, accepts: 'a path of 1 to 4096 characters without control characters, the home folder written out', max: 4096 })

/** A plain SQL identifier, quoted nowhere. */
export const identifier = (): Kind<string> =>
  shaped({
    pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
    accepts: 'a plain SQL identifier (letters, digits and underscores, at most 63)',
    max: 63,
  })

/** A tool or prompt by its name. */
export const componentName = (): Kind<string> =>
  shaped({
    pattern: /^[A-Za-z0-9_.-]+$/,
    accepts: 'a name of letters, digits, underscores, dots and hyphens (at most 128)',
    max: 128,
  })

/** A resource by its URI or URI template, exactly as it is listed. */
export const resourceUri = (): Kind<string> =>
  shaped({
    pattern: /^[A-Za-z][A-Za-z0-9+.-]*:[^\s,]+$/,
    accepts: 'a resource URI or template exactly as it is listed, such as docs://index',
    max: 512,
  })

/** A file name extension with its dot. */
export const extension = (): Kind<string> =>
  shaped({ pattern: /^\.[A-Za-z0-9_+-]+$/, accepts: 'a file name extension with its dot, such as .md', max: 32 })

/** The name of one folder, not a path. */
export const folderName = (): Kind<string> =>
  shaped({
    pattern: /^(?!\.{1,2}$)[^\s/\\,](?:[^/\\,]*[^\s/\\,])?$/,
    accepts: 'the name of a folder without separators',
    max: 255,
  })

/** `name=value`, as OTLP headers are written. */
export const headerPair = (): Kind<string> =>
  shaped({
    pattern: /^[A-Za-z0-9!#$%&'*+.^_`|~-]+=[^,]*$/,
    accepts: 'a header written name=value, commas inside a value percent-encoded',
    max: 4096,
  })

/** A component's level, written `name=LEVEL`. */
export const levelOverride = (): Kind<string> =>
  shaped({
    pattern: /^[A-Za-z0-9_.-]{1,128}=(?:SAFE|CONFIRM|RESTRICTED|DENIED)$/,
    accepts: 'name=LEVEL where LEVEL is SAFE, CONFIRM, RESTRICTED or DENIED',
    max: 160,
  })

/** Key material; empty is refused, so that a variable which expanded to nothing cannot switch a key off. */
export const secretKey = (): Kind<string> => ({
  ...shaped({ pattern: /^.{32,}$/, accepts: 'a secret of 32 to 1024 characters on one line', max: 1024 }),
  blank: 'value',
})

/** A public key as PEM (RFC 7468 §13); `\n` written out is read as a line break. */
export const publicKeyPem = (): Kind<string> => ({
  ...shaped({
    pattern: /^\s*-----BEGIN PUBLIC KEY-----\s[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----\s*$/,
    accepts: 'a public key as PEM text that begins with -----BEGIN PUBLIC KEY-----',
    max: 16_384,
    mayBreak: true,
  }),
  parseText: (text) => text.replaceAll('\\n', '\n'),
})

const isJsonObject = (text: string): boolean => objectIn(text) !== undefined

/** A JSON object, kept as text for whoever reads it; a config file may hold the object itself. */
export function jsonObject(): Kind<string> {
  return {
    type: 'json',
    schema: once(() => z.string().max(262_144).refine(isJsonObject)),
    fileSchema: once(() => z.union([z.record(z.string(), z.unknown()), z.string().max(262_144)])),
    accepts: 'a JSON object, as text (or as an object in the config file)',
    blank: 'unset',
    parseText: (raw) => raw,
    fromFile: (value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value),
    formatText: (value) => value,
  }
}
