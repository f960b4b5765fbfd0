/** Packs the package as for publishing and installs it into an empty project, as somebody else would. */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { ROOT } from '../process/built-binary.ts'

/** What a copy of the checkout does without. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules', 'dist', 'coverage'])

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Packed {
  readonly tarball: string
  /** Every path in it, without the leading folder. */
  readonly files: readonly string[]
}

export interface Consumer {
  readonly folder: string
  /** Runs a program in the project. */
  run(command: string, args: readonly string[]): Ran
  write(name: string, text: string): void
}

const workFolder = (): string => mkdtempSync(join(tmpdir(), 'arrowhead-package-'))

const runIn = (cwd: string, command: string, args: readonly string[]): Ran => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd, encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? cwd, ARROWHEAD_DATA_DIR: join(cwd, 'data') },
  })
  if (error) throw error
  return { code: status, out: stdout, err: stderr }
}

/** Builds and packs a copy, so that the checkout's own `dist` is neither used nor changed. */
export function pack(): Packed & { remove(): void } {
  const folder = workFolder()
  const copy = join(folder, 'checkout')
  cpSync(ROOT, copy, { recursive: true, filter: (path) => dirname(path) !== dirname(join(ROOT, 'x')) || !LEFT_OUT.has(basename(path)) })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const { code, out, err } = runIn(copy, 'npm', ['pack', '--json', '--pack-destination', folder])
  if (code !== 0) throw new Error(`npm pack failed: ${out}${err}`)
  // The build's own output may come before the report.
  const [report] = JSON.parse(out.slice(out.indexOf('[\n'))) as { filename: string; files: { path: string }[] }[]
  if (!report) throw new Error('npm pack reported nothing')
  return { tarball: join(folder, report.filename), files: report.files.map(({ path }) => path), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** An empty project with the tarball in it. Dependencies come from npm's cache, or from this checkout where it lacks them. */
export function install({ tarball }: Packed): Consumer & { remove(): void } {
  const folder = workFolder()
  const consumer: Consumer = {
    folder,
    run: (command, args) => runIn(folder, command, args),
    write: (name, text) => writeFileSync(join(folder, name), text),
  }
  consumer.write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
  const { code } = consumer.run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball])
  if (code !== 0) link(consumer, tarball)
  return { ...consumer, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

function link({ folder, run }: Consumer, tarball: string): void {
  const modules = join(folder, 'node_modules')
  rmSync(modules, { recursive: true, force: true })
  mkdirSync(join(modules, '.bin'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (!name.startsWith('.') && name !== 'arrowhead') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
  mkdirSync(join(modules, 'arrowhead'))
  run('tar', ['xzf', tarball, '--strip-components=1', '-C', join(modules, 'arrowhead')])
  symlinkSync('../arrowhead/dist/bin/arrowhead.js', join(modules, '.bin', 'arrowhead'))
  if (!existsSync(join(modules, '.bin', 'arrowhead'))) throw new Error('the tarball holds no executable')
}
