/**
 * Each guard of the path and command policy, and the test that fails without it. The pairs are kept by doing it: the
 * guard is taken out of a copy of the policy, and the tests of the copy are run.
 */

export interface BrokenGuard {
  /** Below `src/policy/`. */
  readonly file: string
  /** Stands exactly once in the file. */
  readonly guard: string
  readonly without: string
  /** Part of the name of a test that must fail. */
  readonly caughtBy: string
}

const of = (file: string, ...guards: readonly (readonly [guard: string, without: string, caughtBy: string])[]): readonly BrokenGuard[] => guards.map(([guard, without, caughtBy]) => ({ file, guard, without, caughtBy }))

export const BROKEN_GUARDS: readonly BrokenGuard[] = [
  ...of('commands/match-arguments.ts',
    ['return this.#options.options.get(name)', 'return this.#options.options.get(name) ?? [...this.#options.options.values()].find((one) => one.name.startsWith(name))', 'that is cut short passes nowhere'],
    ["if (!option) return 'option'\n      if (option.value === 'none') continue", "if (!option) continue\n      if (option.value === 'none') continue", 'is bundled only where each letter is listed'],
    ["return option.value === 'none' ? 'option' : this.#value(option, word.slice(equals + 1))", 'return this.#value(option, word.slice(equals + 1))', 'has a value exactly where one is listed'],
    ['    return isOnePlace(text)\n', '    return true\n', 'is no word that a program and the path policy take for two places'],
    ['this.#grammar.optionFirst === true && ', 'false && ', 'comes first where a word without a dash would be read as options'],
    ["this.#grammar.valuesApart === true ? 'value' : ", '', 'keeps its value in a word of its own'],
    ['this.#operands.length === 0 && looksAt !== undefined', 'false', 'is the working folder where a program looks at that by itself'],
    ['if (!VALUE_TYPES[type].test(text)) return false', '', 'takes the rest of the word as its value'],
    ['if (type === undefined || !this.#takes(type, text)) return word', 'if (type !== undefined && !this.#takes(type, text)) return word', 'has a value exactly where one is listed'],
    ['this.#files.push(text)', '', 'is told to the path policy, wherever it stands']),
  ...of('commands/judge-command.ts',
    ["if (unspeakable >= 0) return no('character', unspeakable)", '', 'holds no control character'],
    ["if (shell >= 0) return no('metacharacter', shell)", '', 'holds nothing that a shell would read'],
    ['table.get(program)', 'table.get(program.toLowerCase())', 'is one of the table, by its bare name'],
    ["if (words.length > MAX_WORDS || words.some(({ length }) => length > MAX_WORD_CHARS)) return no('too-long', 0)", '', 'may not be too long'],
    ["if (mutation >= 0) return no('mutation', mutation + 1)", '', 'has no exception for a word that changes something']),
  ...of('commands/system-programs.ts',
    ["-e -A -f -F -l -H -w", '-e -A -f -F -l -H -T -w', 'takes nothing that makes the program read its words a second time'],
    [' valuesApart: true,', '', 'takes nothing that makes the program read its words a second time']),
  ...of('path-policy.ts',
    ['const all = [names, names.map(foldLetters), names.map(foldName)]', 'const all = [names]', 'holds for every spelling of a name'],
    ['const all = [names, names.map(foldLetters), names.map(foldName)]', 'const all = [names.map(foldName)]', 'holds for names that hold what a fold would take away'],
    ["if (named !== undefined) return { rule: named, list: 'denyNames' }", '', 'holds below a folder that is allowed by name'],
    ["if (denied !== undefined) return { rule: denied, list: 'deny' }", '', 'beats what is allowed'],
    ["if (kept !== undefined) return { rule: kept, list: 'denyWrite' }", '', 'holds for every spelling, at any depth, and leaves reading alone'],
    ["if (holdsCredentials(plain)) return { rule: 'files that hold credentials', list: 'credentials' }", '', 'holds for every spelling, at any depth, and leaves reading alone'],
    ["list === 'allow' || list === 'except' ? parsed", "list === 'allow' ? parsed", 'beats what is allowed'],
    ['first(allow, plain) === undefined', 'first(allow, plain.map(foldLetters)) === undefined', 'is exactly what is written'],
    ["  use === 'read' && allow.some", '  allow.some', 'is exactly what is written'],
    ['...(above.length > 0 ? spellingsOf([...above, ...names]) : [])', '', 'holds below a folder that is allowed by name'],
    ['if (problems.length > 0) return { ok: false, problems }', '', 'make no policy at all']),
  ...of('spell-path.ts',
    ["if (raw.startsWith('~') && !isHome) return invalid('only your own home is known: write ~/ or an absolute path', 'user')", '', 'is none'],
    ["if (name === '..') names.pop()", 'if (false) names.pop()', 'a path ../a is'],
    ["if (/[\\p{Cc}\\\\\\p{Cs}]/u.test(raw.replaceAll('\\t', ''))) return invalid('write no backslashes and no control characters', 'character')", '', 'is none'],
    ['root.every((name, index) => names[index] === name)', "names.join('/').startsWith(root.join('/'))", 'has all its names in front, whole']),
  ...of('security.ts',
    ["if (NO_ROOTS.has(plain.join('/')) || isBelow(plain, ['proc'])) {", 'if (false) {', 'are none that lead to everything else'],
    ["(!root.startsWith('/') && root !== '~' && !root.startsWith('~/'))", 'false', 'are none that lead to everything else'],
    ['else if (grammar.neverRun !== undefined) ', 'else if (false) ', 'is never one whose safety lies with files'],
    ['if (unknown.length > 0) this.problems', 'if (false) this.problems', 'is none, and everything that is wrong with it is said at once'],
    ['Array.isArray(given) ? [...fallback, ...given] : given', 'given', 'are added to those that nobody has to write'],
    ['this.#withHidden(grammar)', 'grammar', 'are told to a program that walks folders'],
    ['return root === undefined || paths.judge', 'return paths.judge', 'hold what is below them whole']),
]
