/**
 * Further programs that read and change nothing, in the same form. None of them may run until the operator names it;
 * some are only judged, because what they do depends on files that somebody else wrote.
 */

import { GIT_SUBCOMMANDS, GREP } from './git-subcommands.ts'
import type { Grammar } from './grammar.ts'

const inBin = (name: string): readonly string[] => [`/usr/bin/${name}`, `/bin/${name}`]
const anyFiles = [{ type: 'FILE' }] as const
/** A path policy that judges the words of a command cannot judge what a program meets on its way. */
const wholeTrees = { neverRun: 'it reads whole folders: list_files, find_files and search_files do that by the path policy' }
const text = (name: string, grammar: Omit<Grammar, 'places'>): Grammar => ({ places: inBin(name), takesAnyText: true, sees: ['home'], ...grammar })
const KUBECTL = '-n=WORD --namespace=WORD --request-timeout=WORD'
const NPM = '-a --all -l --long --json -w=PACKAGE --workspace=PACKAGE --workspaces[=BOOL] -s --silent --loglevel=WORD --color[=BOOL] --no-color --unicode[=BOOL] --no-unicode'
const search = [{ type: 'TEXT', min: 1, max: 1 }, { type: 'FILE' }] as const

export const READING_PROGRAMS: Readonly<Record<string, Grammar>> = {
  ls: text('ls', { options: '-q -B -N -f -w=COUNT -T=COUNT --width=COUNT --block-size=SIZE --format=WORD --indicator-style=WORD --quoting-style=WORD --author --no-group --numeric-uid-gid --dereference --hide-control-chars --ignore-backups --literal --hyperlink[=WORD] --zero -a -A -l -h -r -R -t -S -X -1 -d -F -i -s -n -g -o -G -p -U -u -c -k -L -H -x -C -m -Q -b -v --all --almost-all --human-readable --reverse --recursive --directory --classify --inode --size --color[=WORD] --time-style=TEXT --sort=WORD --time=WORD --group-directories-first --full-time --si -I=TEXT --ignore=TEXT --hide=TEXT', operands: anyFiles, ...wholeTrees }),
  cat: text('cat', { options: '-u -n -b -s -A -E -T -v -e -t --number --number-nonblank --squeeze-blank --show-all --show-ends --show-tabs --show-nonprinting', operands: anyFiles }),
  head: text('head', { options: '-n=AMOUNT -c=AMOUNT --lines=AMOUNT --bytes=AMOUNT -q -v -z --quiet --silent --verbose --zero-terminated -#', operands: anyFiles }),
  // Following a file never ends, and an operand such as `+1f` asks for that, too.
  tail: text('tail', { options: '-n=AMOUNT -c=AMOUNT --lines=AMOUNT --bytes=AMOUNT -q -v -z --quiet --silent --verbose --zero-terminated -#', operands: [{ type: 'TAILED' }] }),
  wc: text('wc', { options: '--total=WORD -l -w -c -m -L --lines --words --bytes --chars --max-line-length', operands: anyFiles }),
  grep: text('grep', { options: `-Z --null --silent --line-buffered --binary-files=WORD -U --binary -T --initial-tab -y -d=WORD --directories=WORD --byte-offset --null-data --basic-regexp --colour[=WORD] --no-ignore-case --dereference-recursive --label=TEXT ${GREP} -e=TEXT --regexp=TEXT -#`, operands: search, firstGivenBy: '-e --regexp', ...wholeTrees }),
  rg: text('rg', { options: '-q --quiet --max-filesize=SIZE --no-messages -b --byte-offset --passthru --no-ignore-vcs --no-ignore-parent --no-config --crlf --multiline-dotall --pretty --null-data --one-file-system --glob-case-insensitive --no-unicode --line-buffered --no-column --max-columns-preview --stop-on-nonmatch --mmap --no-mmap --binary --include-zero --no-pre --engine=WORD --auto-hybrid-regex --context-separator=TEXT -E=WORD --encoding=WORD -i -S -s -v -n -N -c -l -o -w -x -F -P -U -u -L -p -H -I -0 -a --ignore-case --smart-case --case-sensitive --invert-match --line-number --no-line-number --count --count-matches --files --files-with-matches --files-without-match --only-matching --word-regexp --line-regexp --fixed-strings --pcre2 --multiline --hidden --no-ignore --no-heading --heading --with-filename --no-filename --column --json --stats --trim --vimgrep --text --follow --null --type-list -g=TEXT --glob=TEXT --iglob=TEXT -t=WORD -T=WORD --type=WORD --type-not=WORD -A=COUNT -B=COUNT -C=COUNT -m=COUNT -M=COUNT --after-context=COUNT --before-context=COUNT --context=COUNT --max-count=COUNT --max-columns=COUNT -d=COUNT --max-depth=COUNT --sort=WORD --sortr=WORD --color=WORD -j=COUNT --threads=COUNT -r=TEXT --replace=TEXT -e=TEXT --regexp=TEXT', operands: search, firstGivenBy: '-e --regexp --files --type-list', ...wholeTrees }),
  find: text('find', {
    dashWords: true,
    options: '-anewer=FILE -cnewer=FILE -newerat=DATE -newerct=DATE -newerBt=DATE -lname=TEXT -ilname=TEXT -fstype=WORD -used=SIGNED -ignore_readdir_race -warn -nowarn -name=TEXT -iname=TEXT -path=TEXT -ipath=TEXT -wholename=TEXT -regex=TEXT -iregex=TEXT -regextype=WORD -type=NAMES -xtype=NAMES -size=TEXT -mtime=SIGNED -mmin=SIGNED -atime=SIGNED -amin=SIGNED -ctime=SIGNED -cmin=SIGNED -newermt=DATE -maxdepth=COUNT -mindepth=COUNT -empty -perm=TEXT -user=WORD -group=WORD -uid=SIGNED -gid=SIGNED -links=SIGNED -inum=SIGNED -print -print0 -printf=TEXT -ls -prune -quit -not -a -and -o -or -true -false -depth -d -mount -xdev -H -L -P -readable -writable -executable -noleaf -daystart -nouser -nogroup',
    operands: anyFiles,
    ...wholeTrees,
  }),
  sort: text('sort', { options: '--sort=WORD --parallel=FEW --debug --ignore-nonprinting --random-sort -u -r -n -f -b -d -g -h -M -R -V -s -c -C -m -z -i --unique --reverse --numeric-sort --ignore-case --ignore-leading-blanks --dictionary-order --general-numeric-sort --human-numeric-sort --month-sort --version-sort --stable --check[=WORD] --merge --zero-terminated -k=NAMES --key=NAMES -t=TEXT --field-separator=TEXT', operands: anyFiles }),
  // A second operand is written to.
  uniq: text('uniq', { options: '--group[=WORD] --all-repeated[=WORD] --zero-terminated -c -d -D -u -i -z --count --repeated --unique --ignore-case -f=COUNT -s=COUNT -w=COUNT --skip-fields=COUNT --skip-chars=COUNT --check-chars=COUNT', operands: [{ type: 'FILE', max: 1 }] }),
  cut: text('cut', { options: '--zero-terminated -d=TEXT -f=NAMES -c=NAMES -b=NAMES -s -n -z --delimiter=TEXT --fields=NAMES --characters=NAMES --bytes=NAMES --only-delimited --complement --output-delimiter=TEXT', operands: anyFiles }),
  // It has no getopt: what is none of its three letters is a word, a dash before it or not.
  echo: text('echo', { literal: true, operands: [{ type: 'TEXT' }] }),
  pwd: text('pwd', { options: '-L -P --logical --physical' }),
  jq: text('jq', { takesLines: true, options: '--stream --seq --unbuffered --args --jsonargs --argjson=NAME+TEXT -r -c -n -e -s -S -M -C -a -j -R --raw-output --compact-output --null-input --exit-status --slurp --sort-keys --monochrome-output --color-output --ascii-output --join-output --raw-input --tab --indent=COUNT', operands: [{ type: 'JQ', min: 1, max: 1 }, { type: 'FILE' }] }),
  diff: text('diff', { options: '-L=TEXT -F=TEXT --normal --tabsize=COUNT --ignore-trailing-space --ignore-tab-expansion --ignore-matching-lines=TEXT --expand-tabs --show-c-function --show-function-line=TEXT --speed-large-files -d -u -U=COUNT -c -C=COUNT -q -s -N -i -w -b -B -E -Z -y -a -t -e -n -p --unified[=COUNT] --context[=COUNT] --brief --report-identical-files --new-file --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --side-by-side -W=COUNT --width=COUNT --color[=WORD] --text --minimal --suppress-common-lines -x=TEXT --exclude=TEXT --label=TEXT -I=TEXT --strip-trailing-cr', operands: [{ type: 'FILE', min: 2, max: 2 }], ...wholeTrees }),
  file: text('file', { options: '-F=TEXT --separator=TEXT --print0 -b --brief -i --mime --mime-type --mime-encoding -L --dereference -h --no-dereference -N --no-pad -0 -k --keep-going -r --raw --extension', operands: [{ type: 'FILE', min: 1 }] }),
  stat: text('stat', { options: '-c=TEXT --format=TEXT --printf=TEXT -L --dereference -f --file-system -t --terse', operands: [{ type: 'FILE', min: 1 }] }),
  tar: text('tar', { options: '--wildcards --no-wildcards --totals --utc --quoting-style=WORD -t --list -v --verbose -z --gzip -j --bzip2 -J --xz --zstd -f=ARCHIVE --file=ARCHIVE --full-time --numeric-owner', optionFirst: true, form: /^(?!-)(?:[^ ]| (?!-))*$/, neverRun: 'it starts other programs to unpack what it lists' }),
  git: {
    places: inBin('git'), takesAnyText: true,
    neverRun: 'a repository’s own configuration can make git run programs: the git tools read it without',
    subcommands: GIT_SUBCOMMANDS,
  },
  kubectl: {
    places: ['/usr/bin/kubectl', '/usr/local/bin/kubectl'], takesAnyText: true, sees: ['network', 'home'], tellsOfItself: ['--help'],
    neverRun: 'its configuration can name a program that gives it a token',
    subcommands: {
      get: { options: `${KUBECTL} -o=OUTPUT --output=OUTPUT --template=TEXT -A --all-namespaces[=BOOL] -l=TEXT --selector=TEXT --field-selector=TEXT --show-labels[=BOOL] --no-headers[=BOOL] --sort-by=TEXT --show-kind[=BOOL] --show-managed-fields[=BOOL] --server-print[=BOOL] --subresource=WORD --chunk-size=COUNT --ignore-not-found[=BOOL] --label-columns=TEXT -L=TEXT`, operands: [{ type: 'OBJECTS', min: 1 }] },
      describe: { options: `${KUBECTL} -A --all-namespaces[=BOOL] -l=TEXT --selector=TEXT --show-events[=BOOL] --chunk-size=COUNT`, operands: [{ type: 'OBJECTS', min: 1 }] },
      logs: { options: `${KUBECTL} --tail=SIGNED --since=WORD --since-time=DATE --timestamps[=BOOL] -c=WORD --container=WORD -p --previous[=BOOL] --all-containers[=BOOL] --prefix[=BOOL] --ignore-errors[=BOOL] --max-log-requests=COUNT --limit-bytes=COUNT -l=TEXT --selector=TEXT`, operands: [{ type: 'OBJECTS', max: 2 }] },
      version: { options: '--client[=BOOL] -o=WORD --output=WORD --short[=BOOL] --request-timeout=WORD' },
    },
  },
  docker: {
    places: ['/usr/bin/docker', '/usr/local/bin/docker'], takesAnyText: true, sees: ['network'],
    // Its help starts each of its plugins.
    tellsOfItself: ['--version'],
    neverRun: 'whoever reaches its socket is root',
    subcommands: {
      ps: { options: '-a --all[=BOOL] -q --quiet[=BOOL] -s --size[=BOOL] -n=SIGNED --last=SIGNED -l --latest[=BOOL] --no-trunc[=BOOL] -f=TEXT --filter=TEXT --format=TEXT' },
      images: { options: '-a --all[=BOOL] -q --quiet[=BOOL] --digests[=BOOL] --no-trunc[=BOOL] -f=TEXT --filter=TEXT --format=TEXT', operands: [{ type: 'OBJECT', max: 1 }] },
      logs: { options: '--tail=WORD -n=WORD --since=DATE --until=DATE -t --timestamps[=BOOL] --details[=BOOL]', operands: [{ type: 'OBJECT', min: 1, max: 1 }] },
      inspect: { options: '-f=TEXT --format=TEXT -s --size --type=WORD', operands: [{ type: 'OBJECT', min: 1 }] },
      version: { options: '-f=TEXT --format=TEXT' },
    },
  },
  npm: {
    places: ['/usr/bin/npm', '/usr/local/bin/npm'], takesAnyText: true, sees: ['network', 'home'],
    neverRun: 'a project’s own configuration can send it elsewhere',
    subcommands: {
      ls: { options: `${NPM} -p --parseable -g --global --depth=COUNT --omit=WORD --include=WORD --link --prod --production --dev --only=WORD --package-lock-only --include-workspace-root`, operands: [{ type: 'PACKAGE' }] },
      outdated: { options: `${NPM} -p --parseable -g --global`, operands: [{ type: 'PACKAGE' }] },
      view: { options: '--json', operands: [{ type: 'PACKAGE', min: 1, max: 1 }, { type: 'PROPERTY' }] },
    },
  },
}
