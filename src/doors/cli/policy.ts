/** `policy explain` and `policy test`: why a call is or is not allowed, which rule says so, and the smallest change that would turn it. */

import { explainPolicy } from '../../app/explain-policy.ts'
import type { PolicyExplained } from '../../app/explain-policy.ts'
import { testRules } from '../../app/policy-examples.ts'
import type { Change } from '../../app/smallest-change.ts'
import type { Rule } from '../../app/rule-place.ts'
import { readObject } from '../mcp/message.ts'
import { appOptions } from './assistant-desk.ts'
import { configPlace, loadForAssistant } from './load.ts'
import { printable } from './logs.ts'
import { EXIT, print, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

type Options = Readonly<Record<string, unknown>>

export async function explain(terminal: Terminal, options: Options, [tool = '', ...words]: readonly string[]): Promise<number> {
  const given = argumentsOf(words)
  if (given === undefined) {
    say(terminal, `arrowhead: the arguments must be one JSON object, or words such as path=~/notes.txt, and name nothing twice`)
    return EXIT.usage
  }
  const loaded = loadForAssistant(terminal, options)
  const explained = await explainPolicy({ loaded, options: appOptions(terminal, loaded), config: loaded.config, call: { tool, ...given } })
  if (options['json'] === true) print(terminal, JSON.stringify({ ...explained, config: configFile(terminal, loaded.config?.file) }, undefined, 2))
  else print(terminal, textOf(explained, configFile(terminal, loaded.config?.file)))
  return EXIT.ok
}

const configFile = (terminal: Terminal, file: string | undefined): string => file ?? configPlace(terminal)

/** Every rule's examples. @returns 1 when one of them came out otherwise than it says. */
export async function test(terminal: Terminal, options: Options): Promise<number> {
  const loaded = loadForAssistant(terminal, options)
  const all = testRules(loaded.values, appOptions(terminal, loaded))
  const wrong = all.filter(({ problems }) => problems.length > 0)
  if (options['json'] === true) print(terminal, JSON.stringify({ ok: wrong.length === 0, rules: all }))
  else {
    for (const { from, rule, problems } of wrong) for (const problem of problems) print(terminal, `FAIL  ${from}: rule ${rule} ${problem}`)
    for (const from of ['built in', 'config file'] as const) {
      const own = all.filter((one) => one.from === from)
      print(terminal, `${from}: ${own.length} rules, ${own.reduce((sum, { examples }) => sum + examples, 0)} examples, ${own.filter(({ problems }) => problems.length > 0).length} rules failed`)
    }
  }
  return wrong.length === 0 ? EXIT.ok : EXIT.refused
}

/** One JSON object, or words of name and value; a value that is JSON other than a text is what it says. */
function argumentsOf(words: readonly string[]): { readonly args: object; readonly texts: Readonly<Record<string, string>> } | undefined {
  if (words.length === 1 && words[0]?.trimStart().startsWith('{')) {
    const read = readObject(words[0])
    return 'value' in read ? { args: read.value, texts: {} } : undefined
  }
  const pairs = words.map((word) => /^([A-Za-z_]\w{0,63})=(.*)$/s.exec(word))
  if (pairs.includes(null) || new Set(pairs.map((pair) => pair?.[1])).size < pairs.length) return undefined
  const texts = Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']))
  return { texts, args: Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, valueOf(text)])) }
}

function valueOf(text: string): unknown {
  if (!/^(?:\[|\{|true$|false$|null$|-?\d)/.test(text)) return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

const VERDICTS: Readonly<Record<PolicyExplained['verdict'], string>> = {
  runs: 'would run, and nobody would be asked',
  asks: 'would run once a person agreed',
  refused: 'would be refused',
  depends: 'would run if the database says that the caller may read what the query reads',
}

const INDENT = 13

function textOf({ tool, verdict, refused, level, rule, levelRule, paths, later, changes }: PolicyExplained, file: string): string {
  const rows: (readonly [string, string])[] = []
  if (refused) rows.push(['refusal', `${refused.code}: ${refused.message}${refused.hint === undefined ? '' : `; ${refused.hint}`}`])
  if (rule) rows.push(['rule', ruleText(rule)])
  if (level) rows.push(['level', `${level.value} (declared ${level.declared}${level.risen ? ', raised by these arguments' : ''})`])
  if (levelRule) rows.push(['', ruleText(levelRule)])
  for (const { path, use, resolved, allowed, root } of paths) {
    rows.push(['path', `${printable(path)} (${use}): ${allowed ? resolved.join(', and really ') : 'refused'}`])
    if (root) rows.push(['', `in ${ruleText(root)}`])
  }
  for (const text of later) rows.push(['then', text])
  for (const { to, changes: all, afterwards, setIn, breaks } of changes) rows.push([`to ${to}`, [...all.map(changeText), ...breaks, ...(setIn === undefined ? [] : [`there, because the ${setIn} that sets it now holds above the file`]), ...(afterwards === undefined ? [] : [`what then stands in the way is no rule: ${afterwards}`])].join('\n')])
  if (verdict === 'refused' && changes.length === 0) rows.push(['to allow', 'no setting does'])
  if (changes.length > 0) rows.push(['', `in ${file}`])
  return [`${tool} ${VERDICTS[verdict]}`, ...rows.map(([name, text]) => `  ${name.padEnd(INDENT - 2)}${text.replaceAll('\n', `\n${' '.repeat(INDENT)}`)}`)].join('\n')
}

const ruleText = ({ says, list, from, file, line }: Rule): string =>
  `${says}${list === undefined ? '' : ` [${list}]`} (${file === undefined ? from : `${file}:${line}`})`

const changeText = ({ do: how, path, value }: Change): string => {
  const [name, shown] = [path.join('.'), JSON.stringify(value)]
  return how === 'set' ? `set ${name} to ${shown}` : how === 'add' ? `add ${shown} to ${name}` : `take ${shown} out of ${name}`
}

