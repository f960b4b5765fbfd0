/**
 * Whether a list of words is a command that may run: the program by its bare name from the table, every word by its
 * grammar. There is no "perhaps": what is unknown is denied.
 */

import type { Grammar } from './grammar.ts'
import { matchArguments } from './match-arguments.ts'

export type CommandTable = ReadonlyMap<string, Grammar>

export type CommandDenial = 'empty' | 'too-long' | 'character' | 'metacharacter' | 'program' | 'subcommand' | 'option' | 'value' | 'operand' | 'mutation'

export type CommandVerdict =
  | { readonly ok: true; readonly program: string; readonly grammar: Grammar; readonly args: readonly string[]; readonly files: readonly string[] }
  /** `word` counts from the program, which is 0. */
  | { readonly ok: false; readonly why: CommandDenial; readonly word: number }

const MAX_WORDS = 64
const MAX_WORD_CHARS = 4_096
const CONTROL = /[\p{Cc}\p{Cs}\u2028\u2029]/u
/** What a shell would read, though there is none. */
const METACHARACTERS = /[;|&`$<>*?[\](){}~!\\'"#]/
/** Words that change something. Nothing relies on it: the grammar has no place for them. */
const MUTATIONS: ReadonlySet<string> = new Set([
  'rm', 'rmdir', 'mv', 'dd', 'reboot', 'shutdown', 'poweroff', 'halt', 'kill', 'killall', 'pkill', 'chmod', 'chown', 'mount', 'umount', 'wipe', 'mkfs', 'fdisk', 'start', 'stop', 'restart', 'reload',
  'enable', 'disable', 'mask', 'unmask', 'isolate', 'edit', 'set', 'add', 'del', 'delete', 'replace', 'flush', 'exec', 'write', 'format', 'suspend', 'hibernate',
])
const TELLS_OF_ITSELF = ['--help', '--version'] as const

export function judgeCommand(table: CommandTable, words: readonly string[]): CommandVerdict {
  const no = (why: CommandDenial, word: number): CommandVerdict => ({ ok: false, why, word })
  const [program, ...args] = words
  if (program === undefined || program === '') return no('empty', 0)
  if (words.length > MAX_WORDS || words.some(({ length }) => length > MAX_WORD_CHARS)) return no('too-long', 0)
  const grammar = table.get(program)
  const plain = grammar?.takesLines === true ? /[\t\n]/g : /\t/g
  const unspeakable = words.findIndex((word) => CONTROL.test(word.replace(plain, '')))
  if (unspeakable >= 0) return no('character', unspeakable)
  if (!grammar) return no('program', 0)
  if (grammar.takesAnyText !== true) {
    const shell = words.findIndex((word) => METACHARACTERS.test(word))
    if (shell >= 0) return no('metacharacter', shell)
    const mutation = args.findIndex((word) => MUTATIONS.has(word))
    if (mutation >= 0) return no('mutation', mutation + 1)
  }
  const { tellsOfItself = TELLS_OF_ITSELF } = grammar
  if (args.length === 1 && tellsOfItself.some((option) => option === args[0])) return { ok: true, program, grammar, args, files: [] }
  return byGrammar(program, grammar, args)
}

function byGrammar(program: string, grammar: Grammar, args: readonly string[]): CommandVerdict {
  const { subcommands, bare = false, before = [], optionFirst = false } = grammar
  const first = subcommands ? args.findIndex((word) => !before.includes(word)) : 0
  const verb = args[first] ?? ''
  const sub = subcommands && Object.hasOwn(subcommands, verb) ? subcommands[verb] : undefined
  if (subcommands && !sub && !(bare && (verb === '' ? !optionFirst : verb.startsWith('-')))) return { ok: false, why: 'subcommand', word: Math.max(first, 0) + 1 }
  const skipped = sub ? first + 1 : 0
  const read = matchArguments(sub ?? grammar, args.slice(skipped))
  return read.ok ? { ok: true, program, grammar, args, files: read.files } : { ok: false, why: read.why, word: read.word + skipped + 1 }
}
