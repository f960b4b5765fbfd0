import { describe, expect, it } from 'vitest'
import { isPureFilter } from './jq-filter.ts'

const PURE = [
  '.', '.env', '.a.env', '.["env"]', '."env"', '"env"', '"$ENV"', '{env}', '{name, env}', '{name, env: 1}', '{env: .environment}', '{"a": 1, env: 2}', '. as {env: $e} | $e', '$env', '.[] | select(.name == $env)', 'test("no env set")', '.import and .include',
  '.include as $i | $i', 'select(.type=="include file")', '{import: 1, include: 2}', '.a\n| .b', '# comment about env\n.a', '"a \\(.b + "env") c"', '"\\\\"', '"\\""', 'if .a then 1 else 2 end', '{a: (if .b then 1, 2 else 3 end), env}', 'reduce .[] as $i (0; . + $i)',
  'def environment: 1; environment', '.environment | envelope', 'input_filename, input, debug', '.[1:2], 1.5e3, .5', '.a // "x"', '@base64 "\\(.env)"', '..|.env?',
]
const IMPURE = [
  'env', 'env.PATH', '.a, env', '.a|env', '[1]|env|keys', '{a: env}', '{(env|tojson): 1}', '{a: 1, b: [2, env]}', '{a: (1, env)}', '$ENV', '$ ENV', '$\nENV', '$\tENV.PATH', '$#c\nENV', '$ # ENV\nENV', '{$ENV}', '{$ ENV}', '"\\(env)"', '"\\(env.PATH)"', '"\\($ENV)"', '"a\\("b\\(env)")"',
  '@sh "\\(env)"', '{"a\\(env)": 1}', '.env, env', '..env', '. env', '1.env', '# x\nenv', '# x\\\nenv', 'x::env', '$x::ENV', '{a: if . then 1, env else 2 end}', '{a: if 1 then 2 end, b: (3, env)}', '{a: def f: 1, env; f}', '{a: reduce 1, env as $x (0; $x)}',
  'import "x" as x; 1', 'import"x"as x;1', 'include "x"; 1', 'include\n"x"; 1', 'modulemeta', '"a"|modulemeta', 'get_search_list', '"open', '(', ')', '(]', '"\\(1"', 'if 1 then 2', '\u0001', '.\r',
]

describe('a filter of jq', () => {
  it.each(PURE)('only looks at its input: %j', (filter) => expect(isPureFilter(filter)).toBe(true))
  it.each(IMPURE)('reads the environment or a file, or cannot be read: %j', (filter) => expect(isPureFilter(filter)).toBe(false))
})
