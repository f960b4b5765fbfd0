/**
 * Looks at the built site in a real browser: navigation, search, dark mode, a narrow screen, weight, accessibility, text
 * without scripts, and no request to anywhere else. Skipped, with a word, where there is no Chromium.
 */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize, resolve } from 'node:path'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'

const DIST = resolve('site/.vitepress/dist')
const MAX_BYTES = 300 * 1024
const BROWSERS = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']
const PATHS = ['/', '/guides/getting-started', '/guides/clients', '/explain/threat-model', '/reference/tools/', '/reference/tools/server/doc_write', '/reference/settings', '/reference/clients']
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.svg': 'image/svg+xml', '.txt': 'text/plain; charset=utf-8', '.md': 'text/markdown; charset=utf-8' }

const executablePath = BROWSERS.find((path) => path !== undefined && existsSync(path))
if (executablePath === undefined) {
  console.log('docs:check skipped: there is no Chromium here (set CHROMIUM, or apt-get install chromium)')
  process.exit(0)
}
if (!existsSync(join(DIST, 'index.html'))) {
  console.error('docs:check: the site is not built; run `npm run docs:build`')
  process.exit(1)
}

const problems: string[] = []
let heaviest = 0
const expectThat = (isSo: boolean, what: string): void => {
  if (!isSo) problems.push(what)
}

const fileOf = (url: string): string | undefined => {
  const path = join(DIST, normalize(decodeURIComponent(url.split('?')[0] ?? '/')))
  return [path, `${path}.html`, join(path, 'index.html')].find((file) => file.startsWith(DIST) && existsSync(file) && statSync(file).isFile())
}
const server = createServer((request, response) => {
  const file = fileOf(request.url ?? '/')
  if (!file) return response.writeHead(404).end()
  return response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file))
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

interface Seen {
  bytes: number
  readonly elsewhere: string[]
  readonly said: string[]
}

function watch(page: Page): Seen {
  const seen: Seen = { bytes: 0, elsewhere: [], said: [] }
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('data:')) seen.elsewhere.push(request.url())
  })
  page.on('response', async (response) => void (seen.bytes += (await response.body().catch(() => Buffer.alloc(0))).length))
  page.on('console', (message) => void (['error', 'warning'].includes(message.type()) && seen.said.push(message.text())))
  page.on('pageerror', (error) => void seen.said.push(error.message))
  return seen
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
}

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource)
  const { violations: found } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as { readonly violations: readonly Violation[] }
  return found.map(({ id, nodes }) => `${id} (${nodes.length}): ${String(nodes[0]?.target[0])} ${nodes[0]?.failureSummary?.replaceAll('\n', ' ').slice(0, 160) ?? ''}`)
}

async function everyPage(browser: Browser): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme: scheme, reducedMotion: 'reduce' })
    for (const path of PATHS) {
      const page = await context.newPage()
      const seen = watch(page)
      await page.goto(base + path, { waitUntil: 'networkidle' })
      expectThat(((await page.locator('main h1').first().textContent()) ?? '') !== '', `${path}: no heading`)
      expectThat(await page.evaluate(`document.documentElement.classList.contains('dark') === ${scheme === 'dark'}`) as boolean, `${path}: not ${scheme}`)
      for (const what of await violations(page)) problems.push(`${path} (${scheme}): ${what}`)
      for (const what of [...seen.elsewhere, ...seen.said]) problems.push(`${path} (${scheme}): ${what}`)
      expectThat(seen.bytes <= MAX_BYTES, `${path}: ${seen.bytes} bytes`)
      heaviest = Math.max(heaviest, seen.bytes)
      await page.close()
    }
    await context.close()
  }
}

async function walk(browser: Browser): Promise<void> {
  const page = await browser.newPage()
  const seen = watch(page)
  await page.goto(base, { waitUntil: 'networkidle' })
  await page.locator('nav a:has-text("Tools")').first().click()
  await page.waitForURL('**/reference/tools/')
  await page.locator('main a:has-text("safe_fetch")').first().click()
  await page.waitForURL('**/safe_fetch')
  expectThat((await page.locator('main h1').textContent())?.includes('safe_fetch') === true, 'a link of the tool list leads to another page')
  await page.locator('#local-search button').click()
  await page.locator('.VPLocalSearchBox input').fill('revocation')
  await page.locator('.VPLocalSearchBox .result').first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname !== '/reference/tools/server/safe_fetch')
  await page.goto(base, { waitUntil: 'networkidle' })
  const before = await page.evaluate('getComputedStyle(document.body).backgroundColor')
  await page.locator('.VPSwitchAppearance').first().click()
  expectThat((await page.evaluate('getComputedStyle(document.body).backgroundColor')) !== before, 'the switch changes no colours')
  for (const what of [...seen.elsewhere, ...seen.said]) problems.push(`walk: ${what}`)
  await page.close()
}

async function narrow(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
  for (const path of PATHS) {
    await page.goto(base + path, { waitUntil: 'networkidle' })
    expectThat((await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')) as boolean, `${path}: wider than a narrow screen`)
  }
  await page.locator('.VPLocalNav .menu').click()
  expectThat(await page.locator('.VPSidebar.open').isVisible(), 'the menu of a narrow screen does not open')
  await page.close()
}

async function withoutScripts(browser: Browser): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  for (const path of PATHS) {
    await page.goto(base + path)
    expectThat(((await page.locator('main').textContent()) ?? '').length > 300, `${path}: no text without scripts`)
  }
  await context.close()
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
for (const [name, look] of Object.entries({ everyPage, walk, narrow, withoutScripts })) {
  await look(browser).catch((error: unknown) => void problems.push(`${name}: ${String(error).split('\n').slice(0, 3).join(' ')}`))
}
await browser.close()
server.closeAllConnections()
server.close()
for (const path of ['llms.txt', 'llms-full.txt', 'guides/getting-started.md', 'reference/tools/server/doc_write.md']) expectThat(existsSync(join(DIST, path)), `${path} is missing`)
for (const problem of problems) console.error(problem)
console.log(`${PATHS.length} pages in two colour schemes, the heaviest ${Math.round(heaviest / 1024)} KiB: ${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)
