/** Pages that are derived from the code when the site is built: what is offered, and how each client is set up. */

import { CLIENTS, shownEntry } from '../../src/app/client-setup.ts'
import { SETTINGS } from '../../src/config/index.ts'
import { PROTOCOL_VERSIONS } from '../../src/doors/mcp/identity-card.ts'
import { REFUSALS } from '../../src/kernel/refusal.ts'
import { catalog, PROFILES } from '../../src/tools/catalog.ts'
import { guarantees } from '../../test/guarantees/guarantees.ts'
import type { Page } from './pages.ts'
import { GROUPS, toolCount } from './tool-pages.ts'

const sum = (of: 'resources' | 'prompts'): number => catalog.reduce((total, family) => total + family[of].length, 0)

export const capabilityPage = (): Page => ({
  path: 'reference/capabilities.md',
  text: `# Capability matrix

What a client can rely on, counted from the catalogue when this page was made.

| Capability | What is served |
|---|---|
| Protocol revisions | ${PROTOCOL_VERSIONS.map((version) => `\`${version}\``).join(', ')}; the newest without a session, the others with a handshake, at one endpoint |
| Transports | stdio; streamable HTTP at \`/mcp\` |
| Tools | ${GROUPS.map((group) => `${toolCount(group)} in ${group.title.toLowerCase()}`).join(', ')}; every one with an output schema and all four hints |
| Families | ${catalog.map(({ name }) => `\`${name}\``).join(', ')} |
| Profiles | ${Object.entries(PROFILES).map(([name, families]) => `\`${name}\` (${families.join(', ')})`).join('; ')}; \`full\` is all of them |
| Resources and templates | ${sum('resources')} |
| Prompts | ${sum('prompts')} |
| Completions | arguments of prompts and resource templates, through the same chain |
| Questions to a person | elicitation, in both protocol eras; without it, what needs a person is refused |
| Authorization | OAuth 2.1 resource server: RFC 9728 metadata, RFC 8707 audience, JWKS rotation, step-up, revocation |
| Settings | ${SETTINGS.length}, each as flag, environment variable, \`.env\` line and config key |
| Refusal codes | ${Object.keys(REFUSALS).length}, one table |
| Promises with a proof | ${guarantees.length}, see the [threat model](../explain/threat-model.md) |

The families \`exec\` and \`notify\` are served only where the operator opened them.
`,
})

const LOCAL = { is: 'command', command: 'node', args: ['/path/to/arrowhead/dist/bin/arrowhead.js', 'serve'] } as const
const REMOTE = { is: 'url', url: 'https://mcp.example/mcp', tokenEnv: undefined } as const
const MACHINE = { platform: 'linux', home: '~', env: {} }

export function clientPage(): Page {
  const tabs = (target: typeof LOCAL | typeof REMOTE): string => CLIENTS.flatMap((client) => {
    if (typeof client.entry(target, {}) === 'string') return []
    return [`\`\`\`${client.dialect === 'toml' ? 'toml' : 'json'} [${client.title}]\n${shownEntry({ client, entryName: 'arrowhead' }, target)}\n\`\`\``]
  }).join('\n\n')
  const rows = CLIENTS.map((client) => `| ${client.title} | \`${client.name}\` | \`${client.file(MACHINE)}\` | ${client.projectFile ? `\`${client.projectFile}\`` : '–'} |`)
  return {
    path: 'reference/clients.md',
    text: `# What goes into each client's file

\`arrowhead client add NAME\` writes it, keeps what was there, and \`--undo\` takes it back byte for byte. These are the
same entries, for whoever writes them by hand.

| Client | NAME | File (Linux) | A project's file |
|---|---|---|---|
${rows.join('\n')}

## Started by the client, over stdio

::: code-group

${tabs(LOCAL)}

:::

## Over HTTP

The client signs in when the server asks it to. With a token of your own, \`--token-env NAME\` puts the name of a variable
into the entry, where the client knows variables.

::: code-group

${tabs(REMOTE)}

:::
`,
  }
}
