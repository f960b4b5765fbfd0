/**
 * What clang makes of the places where ctags and symbol_map differ. It expands macros and knows which parts of a file
 * are compiled, so it can say that a declaration is there, or that none is; what it cannot say stays with ctags.
 */

import { spawnSync } from 'node:child_process'

export interface Dispute {
  readonly name: string
  readonly line: number
}

/** Whether a declaration stands there; undefined where clang cannot tell. */
export type Verdict = boolean | undefined

const PROGRAM = `
import ctypes, json, sys
from clang import cindex
from clang.cindex import CursorKind as K

class RangeList(ctypes.Structure):
    _fields_ = [('count', ctypes.c_uint), ('ranges', ctypes.POINTER(cindex.SourceRange))]
lib = cindex.conf.lib
lib.clang_getSkippedRanges.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
lib.clang_getSkippedRanges.restype = ctypes.POINTER(RangeList)

KINDS = [K.STRUCT_DECL, K.UNION_DECL, K.CLASS_DECL, K.ENUM_DECL, K.FIELD_DECL, K.ENUM_CONSTANT_DECL, K.FUNCTION_DECL, K.VAR_DECL,
  K.TYPEDEF_DECL, K.CXX_METHOD, K.NAMESPACE, K.CONSTRUCTOR, K.DESTRUCTOR, K.CONVERSION_FUNCTION, K.FUNCTION_TEMPLATE,
  K.CLASS_TEMPLATE, K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION, K.NAMESPACE_ALIAS, K.TYPE_ALIAS_DECL, K.TYPE_ALIAS_TEMPLATE_DECL, K.MACRO_DEFINITION]
BODIES = [K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.CONVERSION_FUNCTION, K.FUNCTION_TEMPLATE, K.LAMBDA_EXPR]
NAMED = [K.CONSTRUCTOR, K.DESTRUCTOR, K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION]

def plain(cursor):
    name = cursor.spelling
    if cursor.kind == K.FUNCTION_TEMPLATE and name.startswith('<'): return name
    if name.startswith('operator'): return name.replace(' ', '')
    return name.split('<')[0]

def walk(cursor, path, inside, found, expanded):
    for child in cursor.get_children():
        place = child.location
        if place.file is None or place.file.name != path: continue
        if child.kind == K.MACRO_INSTANTIATION: expanded.add((place.line, child.spelling))
        elif child.kind in KINDS and not (inside and child.kind == K.VAR_DECL): found.add((place.line, plain(child)))
        elif not child.kind.is_declaration() and not child.kind.is_statement() and not child.kind.is_expression() and child.kind != K.LINKAGE_SPEC and not child.kind.is_unexposed(): continue
        walk(child, path, inside or child.kind in BODIES, found, expanded)

def judged(job):
    path = job['file']
    unit = cindex.Index.create().parse(path, args=job['args'], options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
    found, expanded, skipped = set(), set(), []
    walk(unit.cursor, path, False, found, expanded)
    ranges = lib.clang_getSkippedRanges(unit, cindex.File.from_name(unit, path)).contents
    for at in range(ranges.count): skipped.append((ranges.ranges[at].start.line, ranges.ranges[at].end.line))
    # Where a header is missing or code is wrong, only what a macro is remains certain.
    whole = all(one.severity < 3 for one in unit.diagnostics)
    def one(line, name):
        plainly = name.replace(' ', '') if name.startswith('operator') else name
        if (line, plainly) in found: return True if whole else None
        if any(first <= line <= last for first, last in skipped): return None
        if (line, name) in expanded: return False
        return False if whole else None
    return [one(each['line'], each['name']) for each in job['disputes']]

out = []
for job in json.load(sys.stdin):
    try: out.append(judged(job))
    except Exception: out.append(None)
print(json.dumps(out))
`

export interface Job {
  readonly file: string
  readonly args: readonly string[]
  readonly disputes: readonly Dispute[]
}

/** Debian's packages are those of its own Python. */
const PYTHONS = ['/usr/bin/python3', 'python3']

/** @returns undefined where clang's library is not there: Debian has it as python3-clang. */
export function askClang(jobs: readonly Job[]): readonly (readonly Verdict[])[] | undefined {
  for (const python of PYTHONS) {
    const { status, stdout } = spawnSync(python, ['-c', PROGRAM], { input: JSON.stringify(jobs), encoding: 'utf8', maxBuffer: 1e9, stdio: ['pipe', 'pipe', 'ignore'] })
    if (status !== 0) continue
    const told = JSON.parse(stdout) as readonly (readonly (boolean | null)[] | null)[]
    return told.map((verdicts, at) => verdicts?.map((one) => one ?? undefined) ?? (jobs[at]?.disputes ?? []).map(() => undefined))
  }
  return undefined
}
