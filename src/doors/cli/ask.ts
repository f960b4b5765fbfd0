/** `ask`: one request of the assistant. The answer goes to standard output, everything else to standard error. */

import { createConversation } from '../../app/assistant.ts'
import type { Ended } from '../../app/assistant.ts'
import { changesFiles } from '../../app/undo-report.ts'
import { typed } from './ask-person.ts'
import { stepLine, withDesk } from './assistant-desk.ts'
import { consentLine } from './consent-line.ts'
import { sameFlags } from './given-flags.ts'
import { EXIT, print, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

export function ask(terminal: Terminal, options: Readonly<Record<string, unknown>>, words: readonly string[]): Promise<number> {
  if (words.join('').trim() === '') {
    say(terminal, 'arrowhead: the request is empty')
    return Promise.resolve(EXIT.usage)
  }
  return withDesk(terminal, options, async ({ assistant, loaded }) => {
    const trace = options['quiet'] !== true && options['json'] !== true
    const ended = await assistant.ask({
      text: words.join(' '),
      conversation: createConversation(),
      signal: terminal.stop,
      arrival: {
        door: 'cli',
        ...consentLine({ terminal, yes: options['yes'] === true, timeoutMs: loaded.values.askTimeoutSeconds * 1000, typed: (prompt, timeoutMs) => typed(terminal, prompt, timeoutMs) }),
      },
      onEvent(event) {
        const line = trace ? stepLine(event) : undefined
        if (line !== undefined) say(terminal, line)
      },
    })
    if (options['json'] === true) print(terminal, JSON.stringify(endedJson(ended)))
    else if (ended.is === 'answered') print(terminal, ended.text)
    else if (ended.is === 'stopped') say(terminal, `arrowhead: stopped: ${ended.says}`)
    if (trace && ended.steps.some(({ tool, status }) => status === 'success' && changesFiles(tool))) say(terminal, `arrowhead: to take back what it changed: arrowhead undo ${ended.request}${sameFlags(terminal, options, ['config', 'dataDir'])}`)
    return ended.is === 'answered' ? EXIT.ok : EXIT.refused
  })
}

const endedJson = (ended: Ended): object => ({
  request: ended.request,
  status: ended.is,
  ...(ended.is === 'answered' && { answer: ended.text }),
  ...(ended.is === 'stopped' && { why: ended.why, message: ended.says }),
  steps: ended.steps,
})
