/** The site: what stands in its bars. Pages are collected into `pages/` by `npm run docs:build`. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type DefaultTheme, defineConfig } from 'vitepress'

const PAGES = fileURLToPath(new URL('../pages/', import.meta.url))

const titleOf = (path: string): string => /^# (.+)$/m.exec(readFileSync(`${PAGES}${path}`, 'utf8'))?.[1]?.replaceAll('`', '') ?? path
const item = (path: string): DefaultTheme.SidebarItem[] => (existsSync(`${PAGES}${path}`) ? [{ text: titleOf(path), link: `/${path.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}` }] : [])

/** Every page of a folder, those that are named first. */
const folder = (name: string, first: readonly string[] = []): DefaultTheme.SidebarItem[] => {
  const there = existsSync(`${PAGES}${name}`) ? readdirSync(`${PAGES}${name}`).filter((file) => file.endsWith('.md')).sort() : []
  const named = first.map((one) => `${one}.md`)
  return [...named, ...there.filter((file) => !named.includes(file))].flatMap((file) => item(`${name}/${file}`))
}

const tools = (name: string, text: string): DefaultTheme.SidebarItem => ({ text, link: `/reference/tools/#the-${name}-s-tools`, collapsed: true, items: folder(`reference/tools/${name}`) })

const sidebar: DefaultTheme.SidebarItem[] = [
  { text: 'Start', items: [...item('index.md'), ...folder('guides', ['getting-started', 'clients', 'data', 'examples', 'assistant', 'workspace', 'auth', 'deployment', 'scale', 'backup'])] },
  { text: 'Understand', items: [...folder('explain', ['architecture', 'security', 'threat-model', 'guards']), ...item('assistant-threats.md'), ...item('faq.md')] },
  { text: 'Look up', items: [...item('reference/tools/index.md'), tools('server', 'Server tools'), tools('assistant', 'Assistant tools'), tools('workspace', 'Workspace tools'), ...folder('reference', ['settings', 'refusals', 'clients', 'capabilities'])] },
  { text: 'Project', items: [...item('changelog.md'), ...item('security-policy.md'), ...item('contributing.md'), { text: 'Decisions', link: '/decisions/', collapsed: true, items: folder('decisions', ['index']) }] },
]

export default defineConfig({
  title: 'Arrowhead',
  description: 'A guarded MCP server and library',
  lang: 'en',
  head: [['link', { rel: 'icon', href: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M8 1l6 14-6-4-6 4z' fill='%232c51c4'/%3E%3C/svg%3E" }]],
  srcDir: 'pages',
  cleanUrls: true,
  ignoreDeadLinks: false,
  router: { prefetchLinks: false },
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/guides/getting-started' }, { text: 'Tools', link: '/reference/tools/' },
      { text: 'Settings', link: '/reference/settings' }, { text: 'Threat model', link: '/explain/threat-model' },
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    docFooter: { prev: 'Before', next: 'Next' },
  },
})
