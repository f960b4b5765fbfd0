// The layer table of docs/explain/architecture.md as rules. An exception is a line here, with its reason.
const MAY_IMPORT = {
  kernel: [],
  config: ['kernel'],
  policy: ['kernel'],
  guard: ['kernel', 'policy'],
  exits: ['kernel', 'policy'],
  services: ['kernel', 'exits'],
  tools: ['kernel'],
  assistant: ['kernel'],
  app: ['kernel', 'config', 'policy', 'guard', 'exits', 'services', 'tools', 'assistant'],
  doors: ['kernel', 'config', 'app'],
  testing: ['kernel', 'config', 'app'],
}
const TEST = '\\.(test|fixture)\\.ts$'
const only = (layer, packages) => ({
  name: `${layer}-packages`, severity: 'error', comment: `${layer} uses no package but ${packages || 'none'}`,
  from: { path: `^src/${layer}/`, pathNot: TEST },
  to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer'], ...(packages && { pathNot: `node_modules/(${packages})/` }) },
})
const pure = (layer) => ({
  name: `${layer}-does-no-io`, severity: 'error', comment: `${layer} neither reads nor writes anything`,
  from: { path: `^src/${layer}/`, pathNot: TEST }, to: { dependencyTypes: ['core'] },
})

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    ...Object.entries(MAY_IMPORT).map(([layer, below]) => ({
      name: `${layer}-imports-below-only`, severity: 'error',
      from: { path: `^src/${layer}/`, pathNot: TEST },
      to: { path: '^src/', pathNot: `^src/(${[layer, ...below].join('|')})/` },
    })),
    {
      name: 'services-are-passed-in', severity: 'error', comment: 'a service never imports another service',
      from: { path: '^src/services/([^/]+)/', pathNot: TEST }, to: { path: '^src/services/', pathNot: '^src/services/$1/' },
    },
    {
      name: 'families-stand-alone', severity: 'error', comment: 'a tool family never imports another family',
      from: { path: '^src/tools/([^/]+)/', pathNot: TEST }, to: { path: '^src/tools/', pathNot: '^src/tools/$1/' },
    },
    {
      name: 'doors-share-only-mcp', severity: 'error', comment: 'a door uses no other door, but for the MCP words that both transports speak',
      from: { path: '^src/doors/(library|http|stdio|mcp)/', pathNot: TEST }, to: { path: '^src/doors/', pathNot: '^src/doors/($1|mcp)/' },
    },
    pure('kernel'), pure('policy'), pure('guard'), pure('tools'), pure('config'),
    only('kernel', 'zod'), only('config', 'zod'), only('policy'), only('guard'), only('tools', 'zod'), only('app'), only('testing'),
    only('doors', '@modelcontextprotocol/server|commander'),
    only('exits', 'undici|libsql'), only('services', 'jose|ioredis|aws4fetch|@opentelemetry|mdast-[a-z-]+|micromark[a-z-]*|re2js|gpt-tokenizer|stemmer|pg|@types/pg|mysql2|libpg-query|@guanmingchiu/sqlparser-ts|node-sqlite3-wasm|web-tree-sitter|isomorphic-git|systeminformation|jsonc-parser|smol-toml'),
    { name: 'no-orphans', severity: 'error', from: { orphan: true, path: '^src/', pathNot: `${TEST}|^src/(index|http|bin)\\.ts$` }, to: {} },
  ],
  options: {
    parser: 'swc', tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs'], exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
