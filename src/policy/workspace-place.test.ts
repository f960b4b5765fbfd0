import { describe, expect, it } from 'vitest'
import { namesFrom, placeOf } from './workspace-place.ts'
import type { Ground } from './workspace-place.ts'

const root = namesFrom('/home/me/repo', [])
const ground: Ground = { root, own: [namesFrom('/home/me/repo/data', []), namesFrom('/home/me/.local/share/arrowhead', [])] }
const place = (path: string): string => placeOf(namesFrom(path, root), ground)

describe('a path, seen from a workspace', () => {
  it.each([
    ['src/a.ts', 'inside'], ['.', 'inside'], ['/home/me/repo', 'inside'], ['src/../a.ts', 'inside'], ['.github/README.md', 'inside'], ['src/.git-blame.md', 'inside'],
    ['.env.example', 'inside'], ['hooks/use-it.ts', 'inside'], ['.gitignore', 'inside'],
    ['..', 'outside'], ['../repo-2/a', 'outside'], ['/home/me/repo-evil/a', 'outside'], ['/etc/passwd', 'outside'], ['src/../../x', 'outside'], ['/home/me/Repo/a', 'outside'], ['a/../../../../../../etc', 'outside'],
    ['.arrowhead', 'own'], ['.arrowhead/config.json', 'own'], ['deep/er/.arrowhead/x', 'own'], ['.ARROWHEAD/x', 'own'], ['.arrowhead./x', 'own'], ['.arrow\u200bhead/x', 'own'], ['．arrowhead/x', 'own'],
    ['data/sessions.sqlite', 'own'], ['DATA/sessions.sqlite', 'own'], ['/home/me/.local/share/arrowhead/audit.sqlite', 'own'], ['database/a', 'inside'],
    ['.env', 'credential'], ['a/.ssh/config', 'credential'], ['tls/server.key', 'credential'], ['.git/config', 'credential'],
    ['.git/HEAD', 'guarded'], ['.git/hooks/pre-commit', 'guarded'], ['vendor/x/.git', 'guarded'], ['.GIT/hooks/x', 'guarded'], ['.husky/pre-push', 'guarded'], ['.claude/settings.json', 'guarded'],
    ['.mcp.json', 'guarded'], ['pkg/AGENTS.md', 'guarded'], ['.vscode/tasks.json', 'guarded'], ['bare/HEAD', 'guarded'], ['.gitmodules', 'guarded'],
  ])('%s is %s', (path, expected) => {
    expect(place(path)).toBe(expected)
  })
})
