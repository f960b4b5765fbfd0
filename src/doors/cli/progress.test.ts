import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { openProgress, withProgress } from './progress.ts'

function onTerminal({ isTTY = true, env = {}, json = false }: { readonly isTTY?: boolean; readonly env?: Readonly<Record<string, string>>; readonly json?: boolean } = {}) {
  let [text, now] = ['', 0]
  const stderr = Object.assign(new PassThrough(), { isTTY }).on('data', (chunk: Buffer) => void (text += String(chunk)))
  return { progress: openProgress({ stderr, env }, 'copying', { json, now: () => now }), pass: (ms: number) => void (now += ms), text: () => text }
}

it('shows a bar where the whole is known, and a number where it is not', () => {
  const { progress, pass, text } = onTerminal()
  progress.at(1, 4)
  pass(1_000)
  progress.at(12_345)
  expect(text()).toBe('\r\u001b[2Kcopying [######------------------]  25 %\r\u001b[2Kcopying 12,345')
})

it('shows of label and message nothing that acts on a terminal', () => {
  const stderr = Object.assign(new PassThrough(), { isTTY: true })
  openProgress({ stderr, env: {} }, 'a\u001b]0;b\u009bc\u202e\u2028.csv').at(1, 4, 'd\u001b[2Je')
  expect(String(stderr.read()).slice('\r\u001b[2K'.length)).toBe(`a ]0;b c  .csv [######------------------]  25 % d [2Je`)
})

it.each([40, 120])('stays on one line of %d columns, however long its label and message are', (columns) => {
  for (const label of [`/a/long/path/${'x'.repeat(200)}.csv`, '\u5b57'.repeat(200), 'short']) {
    const stderr = Object.assign(new PassThrough(), { isTTY: true, columns })
    openProgress({ stderr, env: {} }, label).at(1, 4, 'm'.repeat(200))
    const line = String(stderr.read()).slice('\r\u001b[2K'.length)
    if (columns > 60) expect(line).toContain(' 25 %')
    expect(Array.from(line).reduce((sum, sign) => sum + (sign > '~' ? 2 : 1), 0)).toBeLessThan(columns)
  }
})

it('goes no further than the whole, and says nothing again at once', () => {
  const { progress, text } = onTerminal()
  progress.at(9, 4)
  progress.at(9, 4)
  expect(text().match(/100 %/g)).toHaveLength(1)
})

it.each([{ isTTY: false }, { json: true }, { env: { TERM: 'dumb' } }])('says nothing with %j', (how) => {
  const { progress, text } = onTerminal(how)
  progress.at(1, 4)
  progress.end()
  expect(text()).toBe('')
})

it('is taken away at the end, also of work that fails, and not where it never was', async () => {
  const { progress, text } = onTerminal()
  progress.end()
  expect(text()).toBe('')
  await expect(withProgress(progress, (at) => {
    at(1, 2)
    throw new Error('full')
  })).rejects.toThrow('full')
  expect(text().endsWith('\r\u001b[2K')).toBe(true)
})
