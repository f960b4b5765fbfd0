/** `completion bash|zsh|fish`: a script for the shell, made from the commands that there are. It only completes words, and starts nothing. */

import type { Command } from 'commander'
import { SETTINGS } from '../../config/index.ts'
import { EXIT, print, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

interface Word {
  /** The commands before it, `tools list`; empty at the start. */
  readonly path: string
  readonly name: string
  readonly says: string
}

const SHELLS: Readonly<Record<string, (words: readonly Word[], flags: readonly Word[]) => string>> = { bash, zsh, fish }

export function completion(terminal: Terminal, program: Command, shell = ''): number {
  const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
  if (!write) {
    say(terminal, `arrowhead: the shell is one of ${Object.keys(SHELLS).join(', ')}`)
    return EXIT.usage
  }
  print(terminal, write(commandsOf(program, ''), flagsOf(program, '')).trimEnd())
  return EXIT.ok
}

const below = (path: string, name: string): string => (path === '' ? name : `${path} ${name}`)

const commandsOf = (command: Command, path: string): readonly Word[] =>
  command.commands.flatMap((one) => [{ path, name: one.name(), says: one.description() }, ...commandsOf(one, below(path, one.name()))])

const flagsOf = (command: Command, path: string): readonly Word[] => [
  ...command.options.flatMap(({ long, description }) => (long ? [{ path, name: long, says: description }] : [])),
  ...command.commands.flatMap((one) => flagsOf(one, below(path, one.name()))),
]

/** Every command takes every setting. */
const settingNames = (): string => SETTINGS.map(({ flag }) => flag).join(' ')

function grouped(words: readonly Word[]): ReadonlyMap<string, readonly Word[]> {
  const groups = new Map<string, Word[]>()
  for (const word of words) groups.set(word.path, [...(groups.get(word.path) ?? []), word])
  return groups
}

/** Where no word of ours fits, bash itself completes names of files: it quotes what a shell would take for more than a name. */
function bash(words: readonly Word[], flags: readonly Word[]): string {
  const row = (kind: string) => ([path, list]: readonly [string, readonly Word[]]): string => `    ${kind}:${path.replaceAll(' ', '\\ ')}) echo ${list.map(({ name }) => name).join(' ')} ;;`
  return `# arrowhead completion for bash: source this, or put it into ~/.local/share/bash-completion/completions/arrowhead
_arrowhead_words() {
  case "$1" in
${[...grouped(words)].map(row('c')).join('\n')}
${[...grouped(flags)].map(row('f')).join('\n')}
    s) echo ${settingNames()} ;;
  esac
}
_arrowhead() {
  local word="\${COMP_WORDS[COMP_CWORD]}" path="" one
  for one in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " $(_arrowhead_words "c:$path") " in *" $one "*) path="\${path:+$path }$one" ;; esac
  done
  case "$word" in
    -*) mapfile -t COMPREPLY < <(compgen -W "$(_arrowhead_words "f:$path") \${path:+$(_arrowhead_words s)}" -- "$word") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$(_arrowhead_words "c:$path")" -- "$word") ;;
  esac
}
complete -o default -F _arrowhead arrowhead
`
}

function zsh(words: readonly Word[], flags: readonly Word[]): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
  const described = (list: readonly Word[]): string => list.map(({ name, says }) => quoted(`${name}:${says.replaceAll(':', '\\:')}`)).join(' ')
  const row = (kind: string) => ([path, list]: readonly [string, readonly Word[]]): string => `    ${quoted(`${kind}:${path}`)}) found=(${described(list)}) ;;`
  return `#compdef arrowhead
# arrowhead completion for zsh: put this into a folder of $fpath as _arrowhead
_arrowhead_words() {
  found=()
  case "$1" in
${[...grouped(words)].map(row('c')).join('\n')}
${[...grouped(flags)].map(row('f')).join('\n')}
  esac
}
_arrowhead() {
  local -a found
  local at="" one
  for one in "\${(@)words[2,CURRENT-1]}"; do
    _arrowhead_words "c:$at"
    if (( \${found[(I)$one:*]} )); then at="\${at:+$at }$one"; fi
  done
  if [[ "$words[CURRENT]" == -* ]]; then
    _arrowhead_words "f:$at"
    _describe option found
    if [[ -n "$at" ]]; then compadd -- ${settingNames()}; fi
  else
    _arrowhead_words "c:$at"
    if (( $#found )); then _describe command found; else _files; fi
  fi
}
if [ "$funcstack[1]" = "_arrowhead" ]; then _arrowhead "$@"; else compdef _arrowhead arrowhead; fi
`
}

function fish(words: readonly Word[], flags: readonly Word[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const names = (path: string): string => words.filter((one) => one.path === path).map(({ name }) => name).join(' ')
  const when = (path: string): string => {
    const seen = path === '' ? [] : path.split(' ').map((name) => `__fish_seen_subcommand_from ${name}`)
    const next = names(path)
    return quoted([...seen, ...(next === '' ? [] : [`not __fish_seen_subcommand_from ${next}`])].join('; and ') || 'true')
  }
  const command = ({ path, name, says }: Word): string => `complete -c arrowhead -f -n ${when(path)} -a ${name} -d ${quoted(says)}`
  const flag = ({ path, name, says }: Word): string => `complete -c arrowhead -n ${when(path)} -l ${name.slice(2)} -d ${quoted(says)}`
  const setting = SETTINGS.map(({ flag: name }) => `complete -c arrowhead -n ${quoted(`__fish_seen_subcommand_from ${names('')}`)} -l ${name.slice(2)}`)
  return `# arrowhead completion for fish: put this into ~/.config/fish/completions/arrowhead.fish\n${[...words.map(command), ...flags.map(flag), ...setting].join('\n')}\n`
}
