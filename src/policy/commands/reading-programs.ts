/**
 * Further programs that read and change nothing, in the same form. None of them may run until the operator names it;
 * some are only judged, because what they do depends on files that somebody else wrote.
 */

import type { Grammar } from './grammar.ts'

const inBin = (name: string): readonly string[] => [`/usr/bin/${name}`, `/bin/${name}`]
const anyFiles = [{ type: 'FILE' }] as const
/** A path policy that judges the words of a command cannot judge what a program meets on its way. */
const wholeTrees = { neverRun: 'it reads whole folders: list_files, find_files and search_files do that by the path policy' }
const text = (name: string, grammar: Omit<Grammar, 'places'>): Grammar => ({ places: inBin(name), takesAnyText: true, sees: ['home'], ...grammar })
const search = [{ type: 'TEXT', min: 1, max: 1 }, { type: 'FILE' }] as const

const GREP = '-i --ignore-case -v --invert-match -n --line-number -c --count -l --files-with-matches -L --files-without-match -o --only-matching -w --word-regexp -x --line-regexp -r -R --recursive -E --extended-regexp -F --fixed-strings -G -P --perl-regexp -H --with-filename -h --no-filename -q --quiet -s --no-messages -a --text -I -b -z -A=COUNT -B=COUNT -C=COUNT -m=COUNT --after-context=COUNT --before-context=COUNT --context=COUNT --max-count=COUNT --color[=WORD] --include=TEXT --exclude=TEXT --exclude-dir=TEXT'

const REVISIONS = '--all --branches[=TEXT] --tags[=TEXT] --remotes[=TEXT] --no-merges --merges --first-parent --since=DATE --until=DATE --after=DATE --before=DATE --author=TEXT --committer=TEXT --grep=TEXT -i --reverse -n=COUNT --max-count=COUNT --skip=COUNT -#'
const PATCH = '-p --patch -u --no-patch -s --stat[=NAMES] --shortstat --numstat --dirstat --summary --name-only --name-status --raw -U=COUNT --unified=COUNT -w -b --ignore-all-space --ignore-space-change --ignore-blank-lines -M -C --find-renames[=COUNT] --find-copies[=COUNT] --word-diff[=WORD] --color[=WORD] --no-color --color-words --minimal --patience --histogram --diff-filter=WORD -S=TEXT -G=TEXT --pickaxe-regex --abbrev[=COUNT] -z --relative[=FILE] --cached --staged --check --no-renames --text -a --function-context -W --no-ext-diff --no-textconv --exit-code --quiet -R'
const FORMAT = '--oneline --graph --decorate[=WORD] --no-decorate --pretty[=TEXT] --format=TEXT --date=TEXT --abbrev-commit --no-abbrev-commit --follow --left-right -L=TEXT --show-signature --source'
const revisions = [{ type: 'FILE' }] as const

export const READING_PROGRAMS: Readonly<Record<string, Grammar>> = {
  ls: text('ls', { options: '-a -A -l -h -r -R -t -S -X -1 -d -F -i -s -n -g -o -G -p -U -u -c -k -L -H -x -C -m -Q -b -v --all --almost-all --human-readable --reverse --recursive --directory --classify --inode --size --color[=WORD] --time-style=TEXT --sort=WORD --time=WORD --group-directories-first --full-time --si -I=TEXT --ignore=TEXT --hide=TEXT', operands: anyFiles, ...wholeTrees }),
  cat: text('cat', { options: '-n -b -s -A -E -T -v -e -t --number --number-nonblank --squeeze-blank --show-all --show-ends --show-tabs --show-nonprinting', operands: anyFiles }),
  head: text('head', { options: '-n=SIGNED -c=SIGNED --lines=SIGNED --bytes=SIGNED -q -v --quiet --verbose -#', operands: anyFiles }),
  // Following a file never ends.
  tail: text('tail', { options: '-n=SIGNED -c=SIGNED --lines=SIGNED --bytes=SIGNED -q -v --quiet --verbose -#', operands: anyFiles }),
  wc: text('wc', { options: '-l -w -c -m -L --lines --words --bytes --chars --max-line-length', operands: anyFiles }),
  grep: text('grep', { options: `${GREP} -e=TEXT --regexp=TEXT -#`, operands: search, firstGivenBy: '-e --regexp', ...wholeTrees }),
  rg: text('rg', { options: '-i -S -s -v -n -N -c -l -o -w -x -F -P -U -u -L -p -H -I -0 -a --ignore-case --smart-case --case-sensitive --invert-match --line-number --no-line-number --count --count-matches --files --files-with-matches --files-without-match --only-matching --word-regexp --line-regexp --fixed-strings --pcre2 --multiline --hidden --no-ignore --no-heading --heading --with-filename --no-filename --column --json --stats --trim --vimgrep --text --follow --null --type-list -g=TEXT --glob=TEXT --iglob=TEXT -t=WORD -T=WORD --type=WORD --type-not=WORD -A=COUNT -B=COUNT -C=COUNT -m=COUNT -M=COUNT --after-context=COUNT --before-context=COUNT --context=COUNT --max-count=COUNT --max-columns=COUNT -d=COUNT --max-depth=COUNT --sort=WORD --sortr=WORD --color=WORD -j=COUNT --threads=COUNT -r=TEXT --replace=TEXT -e=TEXT --regexp=TEXT', operands: search, firstGivenBy: '-e --regexp --files --type-list', ...wholeTrees }),
  find: text('find', {
    dashWords: true,
    options: '-name=TEXT -iname=TEXT -path=TEXT -ipath=TEXT -wholename=TEXT -regex=TEXT -iregex=TEXT -regextype=WORD -type=NAMES -xtype=NAMES -size=TEXT -mtime=SIGNED -mmin=SIGNED -atime=SIGNED -amin=SIGNED -ctime=SIGNED -cmin=SIGNED -newermt=DATE -maxdepth=COUNT -mindepth=COUNT -empty -perm=TEXT -user=WORD -group=WORD -uid=SIGNED -gid=SIGNED -links=SIGNED -inum=SIGNED -print -print0 -printf=TEXT -ls -prune -quit -not -a -and -o -or -true -false -depth -d -mount -xdev -H -L -P -readable -writable -executable -noleaf -daystart -nouser -nogroup',
    operands: anyFiles,
    ...wholeTrees,
  }),
  sort: text('sort', { options: '-u -r -n -f -b -d -g -h -M -R -V -s -c -C -m -z -i --unique --reverse --numeric-sort --ignore-case --ignore-leading-blanks --dictionary-order --general-numeric-sort --human-numeric-sort --month-sort --version-sort --stable --check[=WORD] --merge --zero-terminated -k=NAMES --key=NAMES -t=TEXT --field-separator=TEXT', operands: anyFiles }),
  // A second operand is written to.
  uniq: text('uniq', { options: '-c -d -D -u -i -z --count --repeated --unique --ignore-case -f=COUNT -s=COUNT -w=COUNT --skip-fields=COUNT --skip-chars=COUNT --check-chars=COUNT', operands: [{ type: 'FILE', max: 1 }] }),
  cut: text('cut', { options: '-d=TEXT -f=NAMES -c=NAMES -b=NAMES -s -n -z --delimiter=TEXT --fields=NAMES --characters=NAMES --bytes=NAMES --only-delimited --complement --output-delimiter=TEXT', operands: anyFiles }),
  echo: text('echo', { options: '-n -e -E', operands: [{ type: 'TEXT' }] }),
  pwd: text('pwd', { options: '-L -P --logical --physical' }),
  jq: text('jq', { options: '-r -c -n -e -s -S -M -C -a -j -R --raw-output --compact-output --null-input --exit-status --slurp --sort-keys --monochrome-output --color-output --ascii-output --join-output --raw-input --tab --indent=COUNT', operands: [{ type: 'JQ', min: 1, max: 1 }, { type: 'FILE' }] }),
  diff: text('diff', { options: '-u -U=COUNT -c -C=COUNT -q -s -N -i -w -b -B -E -Z -y -a -t -e -n -p --unified[=COUNT] --context[=COUNT] --brief --report-identical-files --new-file --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --side-by-side -W=COUNT --width=COUNT --color[=WORD] --text --minimal --suppress-common-lines -x=TEXT --exclude=TEXT --label=TEXT -I=TEXT --strip-trailing-cr', operands: [{ type: 'FILE', min: 2, max: 2 }], ...wholeTrees }),
  file: text('file', { options: '-b --brief -i --mime --mime-type --mime-encoding -L --dereference -h --no-dereference -N --no-pad -0 -k --keep-going -r --raw --extension', operands: [{ type: 'FILE', min: 1 }] }),
  stat: text('stat', { options: '-c=TEXT --format=TEXT --printf=TEXT -L --dereference -f --file-system -t --terse', operands: [{ type: 'FILE', min: 1 }] }),
  tar: text('tar', { options: '-t --list -v --verbose -z --gzip -j --bzip2 -J --xz --zstd -f=ARCHIVE --file=ARCHIVE --full-time --numeric-owner', optionFirst: true, form: /^[^-]*$/, neverRun: 'it starts other programs to unpack what it lists' }),
  git: {
    places: inBin('git'), takesAnyText: true,
    neverRun: 'a repository’s own configuration can make git run programs: the git tools read it without',
    subcommands: {
      status: { options: '-s --short -b --branch --porcelain[=WORD] --long -v --verbose -u[=WORD] --untracked-files[=WORD] --ignored[=WORD] -z --show-stash --ahead-behind --no-ahead-behind --renames --no-renames --ignore-submodules[=WORD]', operands: anyFiles },
      log: { options: `${REVISIONS} ${PATCH} ${FORMAT}`, operands: revisions },
      diff: { options: `${PATCH} --merge-base`, operands: revisions },
      show: { options: `${PATCH} ${FORMAT}`, operands: revisions },
      blame: { options: '-L=TEXT -l -t -s -e -w -M -C -p -n -f --show-name --show-number --show-email --porcelain --line-porcelain --date=TEXT --since=DATE --abbrev=COUNT --root --reverse --first-parent', operands: revisions },
      'ls-files': { options: '-c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage -u --unmerged -k --killed -t -v -z --directory --exclude-standard --full-name --error-unmatch --abbrev[=COUNT] --eol --deduplicate', operands: anyFiles },
      'rev-parse': { options: '--short[=COUNT] --verify -q --quiet --abbrev-ref[=WORD] --symbolic --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --all --branches[=TEXT] --tags[=TEXT] --remotes[=TEXT]', operands: [{ type: 'REVISION' }] },
      // A name alone makes a branch, so there is none without `--list`, and that is a form of its own.
      branch: { options: '-a --all -r --remotes -v --verbose --show-current -i --ignore-case --color[=WORD] --no-color --column[=TEXT] --no-column --list -l --merged[=REVISION] --no-merged[=REVISION] --contains[=REVISION] --no-contains[=REVISION] --sort=TEXT --format=TEXT --abbrev[=COUNT] --no-abbrev --points-at=REVISION', operands: [] },
      grep: { options: `${GREP} --cached --untracked --heading --break --all-match --and --or --not -e=TEXT -p -W --show-function --function-context --max-depth=COUNT --threads=COUNT -#`, operands: search, firstGivenBy: '-e' },
      shortlog: { options: `-s --summary -n --numbered -e --email -c --committer -w[=NAMES] --format=TEXT --group=TEXT ${REVISIONS.replace(' -n=COUNT', '')}`, operands: revisions },
      describe: { options: '--tags --all --always --long --dirty[=TEXT] --broken[=TEXT] --abbrev=COUNT --exact-match --first-parent --contains --candidates=COUNT --match=TEXT --exclude=TEXT --debug', operands: [{ type: 'REVISION' }] },
    },
  },
  kubectl: {
    places: ['/usr/bin/kubectl', '/usr/local/bin/kubectl'], takesAnyText: true, sees: ['network', 'home'],
    neverRun: 'its configuration can name a program that gives it a token',
    subcommands: {
      get: { options: '-o=OUTPUT --output=OUTPUT -n=WORD --namespace=WORD -A --all-namespaces -l=TEXT --selector=TEXT --field-selector=TEXT --show-labels --no-headers --sort-by=TEXT --show-kind --chunk-size=COUNT --ignore-not-found --label-columns=TEXT -L=TEXT', operands: [{ type: 'OBJECTS', min: 1 }] },
      describe: { options: '-n=WORD --namespace=WORD -A --all-namespaces -l=TEXT --selector=TEXT --show-events[=WORD]', operands: [{ type: 'OBJECTS', min: 1 }] },
      logs: { options: '-n=WORD --namespace=WORD --tail=SIGNED --since=WORD --since-time=DATE --timestamps[=WORD] -c=WORD --container=WORD -p --previous --all-containers[=WORD] --prefix[=WORD] --limit-bytes=COUNT -l=TEXT --selector=TEXT', operands: [{ type: 'OBJECTS', max: 2 }] },
      version: { options: '--client -o=WORD --output=WORD --short' },
    },
  },
  docker: {
    places: ['/usr/bin/docker', '/usr/local/bin/docker'], takesAnyText: true, sees: ['network'],
    neverRun: 'whoever reaches its socket is root',
    subcommands: {
      ps: { options: '-a --all -q --quiet -s --size -n=SIGNED --last=SIGNED -l --latest --no-trunc -f=TEXT --filter=TEXT --format=TEXT' },
      images: { options: '-a --all -q --quiet --digests --no-trunc -f=TEXT --filter=TEXT --format=TEXT', operands: [{ type: 'OBJECT', max: 1 }] },
      logs: { options: '--tail=WORD -n=WORD --since=DATE --until=DATE -t --timestamps --details', operands: [{ type: 'OBJECT', min: 1, max: 1 }] },
      inspect: { options: '-f=TEXT --format=TEXT -s --size --type=WORD', operands: [{ type: 'OBJECT', min: 1 }] },
      version: { options: '-f=TEXT --format=TEXT' },
    },
  },
  npm: {
    places: ['/usr/bin/npm', '/usr/local/bin/npm'], takesAnyText: true, sees: ['network', 'home'],
    neverRun: 'a project’s own configuration can send it elsewhere',
    subcommands: {
      ls: { options: '-a --all -l --long --json -p --parseable -g --global --depth=COUNT --omit=WORD --include=WORD --link --prod --dev', operands: [{ type: 'PACKAGE' }] },
      outdated: { options: '-a --all --json -l --long -p --parseable -g --global', operands: [{ type: 'PACKAGE' }] },
      view: { options: '--json', operands: [{ type: 'PACKAGE', min: 1, max: 1 }, { type: 'OBJECT' }] },
    },
  },
}
