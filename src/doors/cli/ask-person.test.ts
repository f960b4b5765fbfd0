import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { elicit } from '../../kernel/question.ts'
import { askPerson as askWith, askable, typed } from './ask-person.ts'
import type { Terminal } from './terminal.ts'

const LONG_MS = 60_000
const FORM = { type: 'object', properties: { approve: { type: 'boolean' } } }

const askPerson = (terminal: Terminal, questions: Parameters<typeof askWith>[1], timeoutMs: number) => askWith(terminal, questions, (prompt) => typed(terminal, prompt, timeoutMs))

function terminalOf(input: string | undefined, isTTY = true) {
  const [stdin, stderr] = [Object.assign(new PassThrough(), { isTTY }), Object.assign(new PassThrough(), { isTTY })]
  const stop = new AbortController()
  let shown = ''
  stderr.on('data', (chunk: Buffer) => void (shown += chunk.toString()))
  if (input === undefined) stdin.end()
  else if (input.endsWith('<end>')) stdin.end(input.slice(0, -5))
  else stdin.write(input)
  const terminal = { stdin, stderr, stdout: new PassThrough(), stop: stop.signal } as unknown as Terminal
  return { terminal, stop, shown: () => shown }
}

const answer = async (input: string | undefined) => (await askPerson(terminalOf(input).terminal, { q: elicit('Allow it?', FORM) }, LONG_MS))['q']

it.each(['y\n', 'Y\n', ' yes \n'])('takes %j for a yes', async (input) => {
  expect(await answer(input)).toEqual({ action: 'accept', content: { approve: true } })
})

it.each(['\n', 'n\n', 'no\n', 'yes please\n', 'true\n', '1\n', 'yy\n', 'y<end>', '<end>', undefined])('takes %j for a no', async (input) => {
  expect(await answer(input)).toEqual({ action: 'decline' })
})

it('takes a stop for a no', async () => {
  const { terminal, stop } = terminalOf('')
  const asked = askPerson(terminal, { q: elicit('Allow it?', FORM) }, LONG_MS)
  stop.abort()
  expect((await asked)['q']).toEqual({ action: 'decline' })
})

it('shows the question before it waits', async () => {
  const { terminal, shown } = terminalOf('n\n')
  await askPerson(terminal, { q: elicit('Allow it?', FORM) }, LONG_MS)
  expect(shown()).toBe('Allow it?\nApprove? [y/N] ')
})

it('does not fill in a form of more than a flag', async () => {
  const wide = { type: 'object', properties: { approve: { type: 'boolean' }, name: { type: 'string' } } }
  expect((await askPerson(terminalOf('y\n').terminal, { q: elicit('Allow it?', wide) }, LONG_MS))['q']).toEqual({ action: 'cancel' })
})

it('says that nobody can be asked where there is no terminal', () => {
  expect(askable(terminalOf('', false).terminal, LONG_MS)).toEqual({})
  expect(askable(terminalOf('').terminal, LONG_MS)).toMatchObject({ capabilities: { elicitation: { form: {} } } })
})

it('takes too long a wait for a no', async () => {
  expect((await askPerson(terminalOf('y').terminal, { q: elicit('Allow it?', FORM) }, 20))['q']).toEqual({ action: 'decline' })
})

it('takes nothing that was typed before the question was shown', async () => {
  const { terminal, shown } = terminalOf('y\n')
  const modes: boolean[] = []
  Object.assign(terminal.stdin, { setRawMode: (isRaw: boolean) => modes.push(isRaw) })
  const asked = askPerson(terminal, { q: elicit('Allow it?', FORM) }, LONG_MS)
  await expect.poll(shown).toContain('Approve?')
  terminal.stdin.push('n\n')
  expect((await asked)['q']).toEqual({ action: 'decline' })
  expect(modes).toEqual([true, false])
})

it('takes an interrupt that came before the question for a no', async () => {
  const { terminal } = terminalOf('\u0003')
  Object.assign(terminal.stdin, { setRawMode: () => undefined })
  expect((await askPerson(terminal, { q: elicit('Allow it?', FORM) }, LONG_MS))['q']).toEqual({ action: 'decline' })
})
