/** Completion scripts are ones that each shell reads, and they complete what there is. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { main } from '../../src/doors/cli/main.ts'

async function scriptOf(shell: string): Promise<{ readonly code: number; readonly text: string }> {
  let text = ''
  const stdout = new PassThrough().setEncoding('utf8').on('data', (chunk: string) => void (text += chunk))
  const code = await main(['completion', shell], { stdin: new PassThrough().end(), stdout, stderr: new PassThrough().resume(), env: {}, cwd: '/', home: '/', platform: 'linux', stop: new AbortController().signal, parent: () => 1 })
  await new Promise((resolve) => setImmediate(resolve))
  return { code, text }
}

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true'], { stdio: 'ignore' }).status === 0
const WORDS: readonly (readonly [line: string, offers: readonly string[]])[] = [['arrowhead ', ['serve', 'client', 'completion']], ['arrowhead client ', ['add', 'list', 'remove']], ['arrowhead client add --und', ['--undo']], ['arrowhead tools call --profi', ['--profile']], ['arrowhead --ver', ['--version']]]

/** What bash offers at the end of a line. */
const BASH = (line: string): string => {
  const words = line.split(' ')
  return `source /dev/stdin <<< "$SCRIPT"; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _arrowhead; printf '%s\\n' "\${COMPREPLY[@]}"`
}

describe('completion', () => {
  test.skipIf(!has('bash')).each(WORDS)('in bash of %j offers %j (skipped without bash)', async (line, offers) => {
    const { code, text } = await scriptOf('bash')
    const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', BASH(line)], { encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', SCRIPT: text } })
    expect({ code, status, stderr }).toEqual({ code: 0, status: 0, stderr: '' })
    for (const offer of offers) expect(stdout.split('\n')).toContain(offer)
  })

  test.skipIf(!has('fish')).each(WORDS)('in fish of %j offers %j (skipped without fish)', async (line, offers) => {
    const { text } = await scriptOf('fish')
    const { stdout, stderr } = spawnSync('fish', ['-c', `${text}\ncomplete -C ${JSON.stringify(line)}`], { encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' } })
    expect(stderr.replaceAll(/.*(?:nonexistent|history|config).*\n?/g, '')).not.toMatch(/error/i)
    for (const offer of offers) expect(stdout.split('\n').map((row) => row.split('\t')[0])).toContain(offer)
  })

  test.skipIf(!has('zsh'))('in zsh is a script that zsh reads (skipped without zsh)', async () => {
    const { text } = await scriptOf('zsh')
    expect(spawnSync('zsh', ['-n'], { input: text, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
    expect(text).toMatch(/'c:client'\) found=\('list:/)
  })

  test.skipIf(!has('bash'))('in bash leaves names of files to bash, which quotes what a shell would run (skipped without bash)', async () => {
    const { text } = await scriptOf('bash')
    const folder = mkdtempSync(join(tmpdir(), 'arrowhead-completion-'))
    try {
      writeFileSync(join(folder, 'evil;touch pwned;.csv'), '')
      const { stdout } = spawnSync('bash', ['--norc', '-c', `${BASH('arrowhead data load evil')}; complete -p arrowhead`], { encoding: 'utf8', cwd: folder, env: { PATH: process.env['PATH'] ?? '', SCRIPT: text } })
      expect(stdout).toBe('\ncomplete -o default -F _arrowhead arrowhead\n')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('is refused for a shell that is not known', async () => {
    for (const shell of ['tcsh', 'constructor', '']) expect((await scriptOf(shell)).code).not.toBe(0)
  })
})
