/** What git may be asked. None of it runs the program that verifies signatures, which a repository’s configuration names. */

import type { Arguments } from './grammar.ts'

const anyFiles = [{ type: 'FILE' }] as const
const search = [{ type: 'TEXT', min: 1, max: 1 }, { type: 'FILE' }] as const
const revisions = anyFiles

/** What grep and git grep have in common. */
export const GREP = '-i --ignore-case -v --invert-match -n --line-number -c --count -l --files-with-matches -L --files-without-match -o --only-matching -w --word-regexp -x --line-regexp -r -R --recursive -E --extended-regexp -F --fixed-strings -G -P --perl-regexp -H --with-filename -h --no-filename -q --quiet -s --no-messages -a --text -I -b -z -A=COUNT -B=COUNT -C=COUNT -m=COUNT --after-context=COUNT --before-context=COUNT --context=COUNT --max-count=COUNT --color[=WORD] --include=TEXT --exclude=TEXT --exclude-dir=TEXT'

const REVISIONS = '--all --branches[=TEXT] --tags[=TEXT] --remotes[=TEXT] --glob=TEXT --exclude=TEXT --not --no-merges --merges --min-parents=COUNT --max-parents=COUNT --first-parent --since=DATE --until=DATE --after=DATE --before=DATE --max-age=DATE --min-age=DATE --author=TEXT --committer=TEXT --grep=TEXT --invert-grep --all-match -i -E -F -P --extended-regexp --fixed-strings --perl-regexp --regexp-ignore-case --reverse -n=COUNT --max-count=COUNT --skip=COUNT -#'
const WALK = '--topo-order --date-order --author-date-order --full-history --simplify-merges --simplify-by-decoration --ancestry-path --boundary --cherry --cherry-pick --cherry-mark --left-only --right-only --merge --no-walk --children --parents --remove-empty --show-pulls -g --walk-reflogs'
const MERGES = '--cc -c -m --diff-merges=WORD'
const PATCH = '-p --patch -u --no-patch -s --stat[=NAMES] --stat-width=COUNT --shortstat --numstat --dirstat[=NAMES] --summary --compact-summary --patch-with-stat --name-only --name-status --raw -U=COUNT --unified=COUNT --inter-hunk-context=COUNT -w -b --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-cr-at-eol --ignore-blank-lines -I=TEXT --ignore-matching-lines=TEXT -M[=SCORE] -C[=SCORE] -B[=SCORE] -D --irreversible-delete --find-renames[=SCORE] --find-copies[=SCORE] --find-copies-harder -l=COUNT --word-diff[=WORD] --word-diff-regex=TEXT --color[=WORD] --no-color --color-words[=TEXT] --color-moved[=WORD] --no-color-moved --ws-error-highlight=WORD --diff-algorithm=WORD --minimal --patience --histogram --anchored=TEXT --diff-filter=WORD -S=TEXT -G=TEXT --pickaxe-regex --pickaxe-all --find-object=REVISION --abbrev[=COUNT] --no-abbrev --full-index --binary --no-prefix --src-prefix=TEXT --dst-prefix=TEXT --line-prefix=TEXT -z --relative[=FILE] --no-relative --cached --staged --check --no-renames --ignore-submodules[=WORD] --text -a --function-context -W --no-ext-diff --no-textconv --exit-code --quiet -R'
// No `--show-signature`, and none in a format: verifying runs `gpg.program`. The value of `--format` is in the same word:
// git reads the next as an option, and opens the file of an `--output` there.
const FORMAT = '--oneline --graph --decorate[=WORD] --no-decorate --decorate-refs=TEXT --clear-decorations --pretty[=GITFORMAT] --format[=GITFORMAT] --date=TEXT --relative-date --abbrev-commit --no-abbrev-commit --follow --left-right -L=TEXT --source --notes --no-notes --mailmap --no-mailmap --use-mailmap --encoding=WORD --expand-tabs[=COUNT] --log-size --full-diff'
/** For shortlog these two take no value, so that the next word would be an option. */
const SHORTLOG_REVISIONS = REVISIONS.replace(' -n=COUNT', '').replace(' --committer=TEXT', '')
const LISTS = '--list -l'

export const GIT_SUBCOMMANDS: Readonly<Record<string, Arguments>> = {
  status: { options: '-s --short -b --branch --porcelain[=WORD] --long -v --verbose -u[=WORD] --untracked-files[=WORD] --ignored[=WORD] -z --show-stash --ahead-behind --no-ahead-behind --renames --no-renames --find-renames[=SCORE] --ignore-submodules[=WORD] --no-column', operands: anyFiles },
  log: { options: `${REVISIONS} ${WALK} ${MERGES} ${PATCH} ${FORMAT}`, operands: revisions },
  diff: { options: `${PATCH} ${MERGES} --merge-base --base --ours --theirs`, operands: revisions },
  show: { options: `${PATCH} ${MERGES} ${FORMAT} --first-parent -q`, operands: revisions },
  blame: { options: '-L=TEXT -l -t -s -e -w -b -c -M[=SCORE] -C[=SCORE] -p -n -f --ignore-rev=REVISION --show-name --show-number --show-email --show-stats --score-debug --porcelain --line-porcelain --incremental --color-lines --color-by-age --progress --no-progress --minimal --encoding=WORD --date=TEXT --since=DATE --abbrev=COUNT --root --reverse --first-parent', operands: revisions },
  'ls-files': { options: '-c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage -u --unmerged -k --killed -t -v -f -z -x=TEXT --exclude=TEXT --directory --no-empty-directory --exclude-standard --full-name --error-unmatch --with-tree=REVISION --abbrev[=COUNT] --format=TEXT --eol --deduplicate --debug --sparse --resolve-undo', operands: anyFiles },
  'rev-parse': { options: '--short[=COUNT] --verify -q --quiet --abbrev-ref[=WORD] --symbolic --symbolic-full-name --show-toplevel --show-prefix --show-cdup --show-superproject-working-tree --show-object-format[=WORD] --git-dir --absolute-git-dir --git-common-dir --path-format=WORD --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --all --branches[=TEXT] --tags[=TEXT] --remotes[=TEXT] --glob[=TEXT] --exclude[=TEXT] --disambiguate[=WORD] --default=REVISION --not --since[=DATE] --until[=DATE] --sq --revs-only --no-revs --flags --no-flags', operands: [{ type: 'REVISION' }] },
  // A name makes a branch unless the command lists; whatever follows `--merged` and its like is their commit.
  branch: { options: `-a --all -r --remotes -v --verbose -q --quiet --show-current -i --ignore-case --color[=WORD] --no-color --column[=TEXT] --no-column ${LISTS} --merged=REVISION? --no-merged=REVISION? --contains=REVISION? --no-contains=REVISION? --sort=REFFORMAT --format=REFFORMAT --omit-empty --abbrev[=COUNT] --no-abbrev --points-at=REVISION`, operands: [{ type: 'TEXT' }], operandsNeed: LISTS },
  grep: { options: `${GREP} --column --name-only --full-name --null --no-color --cached --untracked --exclude-standard --no-exclude-standard --no-textconv --no-recurse-submodules --heading --break --all-match --and --or --not -e=TEXT -p -W --show-function --function-context --max-depth=COUNT --threads=COUNT -#`, operands: search, firstGivenBy: '-e' },
  shortlog: { options: `-s --summary -n --numbered -e --email -c --committer -w[=NAMES] --format[=GITFORMAT] --group=GITGROUP --date=TEXT ${SHORTLOG_REVISIONS}`, operands: revisions },
  describe: { options: '--tags --all --always --long --dirty[=TEXT] --broken[=TEXT] --abbrev[=COUNT] --no-abbrev --exact-match --first-parent --contains --candidates=COUNT --match=TEXT --exclude=TEXT --debug', operands: [{ type: 'REVISION' }] },
}
