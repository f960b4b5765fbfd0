/**
 * Reads the four places a setting can come from into one list of candidates, in order of rising
 * precedence. Nothing is judged here but names: an unknown one is a problem with its nearest neighbour.
 */

import { nearestName } from './nearest-name.ts'
import { parseConfigFile } from './parse-config-file.ts'
import { parseDotenv } from './parse-dotenv.ts'
import { ENV_PREFIX, SETTINGS } from './settings.ts'
import type { Setting } from './settings.ts'

export type FlagValue = string | boolean | readonly string[]

export interface Sources {
  /** By spelling, such as `--port`; `true` is a flag without a value, an array a flag given several times. */
  readonly flags?: Readonly<Record<string, FlagValue | undefined>>
  /** The environment as the door received it. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The text of a `.env` file. */
  readonly envFile?: string | undefined
  /** The text of a config file, JSON. */
  readonly file?: string | undefined
}

export type SourceName = 'flag' | 'environment' | '.env' | 'file'

/** A value that was given for a setting, not yet judged. */
export interface Candidate {
  readonly setting: Setting
  readonly source: SourceName
  /** The name as the operator wrote it. */
  readonly spelled: string
  readonly raw: unknown
}

export interface ReadSources {
  readonly candidates: readonly Candidate[]
  readonly problems: readonly string[]
}

interface Spelling {
  readonly source: SourceName
  readonly known: ReadonlyMap<string, Setting>
  readonly where: string
}

/** The names are worked out once, and only for a source that is there. */
const spelling = (source: SourceName, where: string, nameOf: (setting: Setting) => string): Spelling => {
  let known: ReadonlyMap<string, Setting> | undefined
  return {
    source,
    where,
    get known() {
      return (known ??= new Map(SETTINGS.map((setting) => [nameOf(setting), setting])))
    },
  }
}

const FLAG = spelling('flag', '', ({ flag }) => flag)
const ENVIRONMENT = spelling('environment', '', ({ env }) => env)
const DOTENV = spelling('.env', ' (in .env)', ({ env }) => env)
const FILE = spelling('file', ' (in the config file)', ({ key }) => key)

/** Where the config file is, the folder of the user's rules, and names of the test suite's own: no settings. */
const NOT_SETTINGS: ReadonlySet<string> = new Set([`${ENV_PREFIX}CONFIG`, `${ENV_PREFIX}HOME`, `${ENV_PREFIX}POSTGRES_TEST_URL`])

/** One spelling for `ARROWHEAD_JAIL_ROOT`, `--jail-root` and `jailRoot`, so that a name from another source is recognised. */
const canonical = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^arrowhead_/, '')
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/^dangerously/, '')

const printable = (name: string): string => (/^[\w.-]{1,80}$/.test(name) ? name : 'a name that cannot be printed')

function unknown(name: string, { known, where }: Spelling): string {
  const meant = canonical(name)
  const twin = SETTINGS.find((setting) => canonical(setting.name) === meant)
  const near = [...known].find(([, setting]) => setting === twin)?.[0] ?? nearestName(name, known.keys())
  return `${printable(name)}${where}: is not a setting${near === undefined ? '' : `; the nearest is ${near}`}`
}

type Entries = readonly (readonly [name: string, raw: unknown])[]

function readEntries(entries: Entries, from: Spelling): ReadSources {
  const candidates: Candidate[] = []
  const problems: string[] = []
  for (const [name, raw] of entries) {
    const setting = from.known.get(name)
    if (setting) candidates.push({ setting, source: from.source, spelled: name + from.where, raw })
    else problems.push(unknown(name, from))
  }
  return { candidates, problems }
}

/** Whether a variable is meant for this server. Letter case does not matter here, so that a wrong one is reported. */
const isOurs = (name: string): boolean => name.toUpperCase().startsWith(ENV_PREFIX) && !NOT_SETTINGS.has(name)

const given = (record: Readonly<Record<string, unknown>>): Entries =>
  Object.entries(record).filter(([, raw]) => raw !== undefined)

function readDotenv(text: string): ReadSources {
  const { entries, problems } = parseDotenv(text)
  const ours = entries.filter(({ name }) => isOurs(name))
  const repeated = ours.filter(({ name }, index) => ours.findIndex((other) => other.name === name) !== index)
  const read = readEntries(
    ours.map(({ name, value }) => [name, value]),
    DOTENV,
  )
  return {
    candidates: read.candidates,
    problems: [
      ...problems.map(({ line, says }) => `line ${line} of .env: ${says}`),
      ...repeated.map(
        ({ name, line }) => `${printable(name)}${DOTENV.where}: is set again on line ${line}; set it once`,
      ),
      ...read.problems,
    ],
  }
}

function readFile(text: string): ReadSources {
  const { entries, problems } = parseConfigFile(text)
  const read = readEntries(entries, FILE)
  return { candidates: read.candidates, problems: [...problems, ...read.problems] }
}

/** Candidates from the weakest source to the strongest: config file, `.env`, environment, flags. */
export function readSources({ flags = {}, env = {}, envFile = '', file }: Sources): ReadSources {
  const all = [
    file === undefined ? { candidates: [], problems: [] } : readFile(file),
    readDotenv(envFile),
    readEntries(
      given(env).filter(([name]) => isOurs(name)),
      ENVIRONMENT,
    ),
    readEntries(given(flags), FLAG),
  ]
  return { candidates: all.flatMap(({ candidates }) => candidates), problems: all.flatMap(({ problems }) => problems) }
}
