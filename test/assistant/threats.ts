/** What the model of the assistant, or whoever speaks through it, may try; docs/assistant-threats.md is the same list. */

export const THREATS = [
  'invented-tool', 'bad-arguments', 'path-escape', 'symlink', 'secrets', 'root-deletion', 'shell', 'mutation', 'self-approval',
  'fabricated-citation', 'injected-instruction', 'unaudited-action', 'exposed-api', 'secrets-in-dumps',
  'network', 'runaway', 'hidden-text', 'changed-after-yes', 'cut-off-decision',
] as const

export type Threat = (typeof THREATS)[number]
