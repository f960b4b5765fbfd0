/** Declarations as Python's own `ast` sees them. */

import { execFileSync } from 'node:child_process'
import type { Told } from './told.ts'

const PROGRAM = `
import ast, json, sys
def told(path):
    try:
        tree = ast.parse(open(path, encoding='utf-8-sig').read())
    except (SyntaxError, UnicodeDecodeError, ValueError):
        return None
    out = []
    def put(name, kind, node, start=None):
        out.append({'name': name, 'kind': kind, 'line': node.lineno, 'start': start or node.lineno})
    def targets(target, kind, node):
        if isinstance(target, ast.Name): put(target.id, kind, target, node.lineno)
        elif isinstance(target, (ast.Tuple, ast.List)) and kind == 'variable':
            for one in target.elts:
                if isinstance(one, ast.Name): put(one.id, kind, one, node.lineno)
    def assigned(body, kind):
        for node in body:
            if isinstance(node, ast.Assign):
                whole = node
                for target in node.targets: targets(target, kind, whole)
            elif isinstance(node, ast.AnnAssign): targets(node.target, kind, node)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            start = node.decorator_list[0].lineno if node.decorator_list else node.lineno
            put(node.name, 'class' if isinstance(node, ast.ClassDef) else 'function', node, start)
        if isinstance(node, ast.ClassDef): assigned(node.body, 'field')
    assigned(tree.body, 'variable')
    return out
print(json.dumps({path: told(path) for path in json.load(sys.stdin)}))
`

/** Files that this Python cannot parse are left out. */
export function tellPython(files: readonly string[]): ReadonlyMap<string, readonly Told[]> {
  const out = execFileSync('python3', ['-I', '-c', PROGRAM], { input: JSON.stringify(files), encoding: 'utf8', maxBuffer: 1e9 })
  return new Map(Object.entries(JSON.parse(out) as Record<string, readonly Told[] | null>).flatMap(([file, told]) => (told ? [[file, told] as const] : [])))
}
