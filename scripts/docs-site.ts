/**
 * Builds the documentation site into `site/.vitepress/dist`: collects the pages, renders them, puts each page's Markdown
 * and llms.txt beside them, and fails on a link that leads nowhere. With `--pages` it only collects.
 */

import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { checkBuilt } from './docs/check-built.ts'
import { capabilityPage, clientPage } from './docs/made-pages.ts'
import { documentPages, type Page, summaryOf, titleOf } from './docs/pages.ts'
import { toolPages } from './docs/tool-pages.ts'

const root = resolve('.')
const site = join(root, 'site')
const dist = join(site, '.vitepress', 'dist')

const pages = [...documentPages(root), capabilityPage(), clientPage(), ...toolPages()]

function write(folder: string, { path, text }: Page): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${text.trimEnd()}\n`)
}

/** An index for readers that are models: every page, with the address of its Markdown. */
const llms = (): string => [
  '# Arrowhead', '> A guarded MCP server and library: every call comes in by a door, runs one chain, and touches the world only through an exit.',
  ...['', 'guides/', 'explain/', 'reference/', 'decisions/'].map((folder) => {
    const inside = pages.filter(({ path }) => (folder === '' ? !path.includes('/') : path.startsWith(folder)))
    return [`## ${folder === '' ? 'Start' : `${folder[0]?.toUpperCase()}${folder.slice(1, -1)}`}`, '', ...inside.map((page) => `- [${titleOf(page)}](/${page.path}): ${summaryOf(page).slice(0, 200)}`)].join('\n')
  }),
].join('\n\n')

rmSync(join(site, 'pages'), { recursive: true, force: true })
for (const page of pages) write(join(site, 'pages'), page)
console.log(`${pages.length} pages collected`)
if (!process.argv.includes('--pages')) {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/vitepress/bin/vitepress.js'), 'build', 'site'], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  for (const page of pages) write(dist, page)
  writeFileSync(join(dist, 'llms.txt'), `${llms()}\n`)
  writeFileSync(join(dist, 'llms-full.txt'), `${pages.map(({ path, text }) => `<!-- ${path} -->\n\n${text.trim()}`).join('\n\n')}\n`)
  copyFileSync(join(root, 'docs/reference/settings.schema.json'), join(dist, 'settings.schema.json'))
  const { pages: built, problems } = checkBuilt(dist)
  for (const problem of problems) console.error(problem)
  console.log(`${built} pages built, ${problems.length} problems`)
  process.exit(problems.length === 0 ? 0 : 1)
}
