import { describe, expect, it } from 'vitest'
import { judgeCommand } from './judge-command.ts'
import { READING_PROGRAMS } from './reading-programs.ts'
import { SYSTEM_PROGRAMS } from './system-programs.ts'

const TABLE = new Map(Object.entries({ ...SYSTEM_PROGRAMS, ...READING_PROGRAMS }))
const passes = (words: readonly string[]): boolean => judgeCommand(TABLE, words).ok
const w = (text: string): readonly string[] => text.split(' ')
type Words = string | readonly string[]
const wordsOf = (one: Words): readonly string[] => (typeof one === 'string' ? w(one) : one)

/** Of each kind what only looks, and beside it what looks like that and does more. */
const KINDS: readonly (readonly [kind: string, looks: readonly Words[], does: readonly Words[]])[] = [
  ['git verifies no signature, which runs a program of the repository’s choice',
    ['git log --format=%h', 'git log --pretty=oneline', 'git log --format=fuller', ['git', 'log', '--format=%<(10)%an %s'], 'git show --pretty=format:%an', 'git log --pretty=tformat:', 'git shortlog --format=%s', 'git shortlog --group=trailer:reviewed-by', 'git branch --format=%(refname)', 'git branch --sort=-committerdate'],
    ['git log --show-signature', 'git show --show-signature', 'git log --format=%G?', 'git log --pretty=%GK', 'git show --pretty=format:%GS', 'git log --pretty=tformat:%GF', 'git log --format=%<(10)%G?', 'git log --format=%+G?', 'git log --format=%-GK', ['git', 'log', '--format=% G?'], 'git log --format=%+%G?', 'git log --format=%%%G?', 'git log --format --output=a%b', 'git show --format --output=a', 'git shortlog --format --output=a%b', 'git shortlog --committer --output=a', 'git log --pretty --output=a', 'git shortlog --format=%G?', 'git shortlog --group=format:%GS', 'git log --pretty=evil', 'git branch --format=%(signature)', 'git branch --format=%(signature:key)', 'git branch --sort=signature', 'git branch --sort=-*signature']],
  ['tail follows nothing', ['tail -n +5 a', 'tail +x', 'tail a+1f'], ['tail +1f a', 'tail +5f a', 'tail +f', 'tail +5 a', 'tail +5cf a', 'tail +bf', 'tail -- +1f', 'tail -f a', 'tail -5f a']],
  ['jq takes values of variables, and no files', ['jq --argjson n 5 .[$n] a.json', ['jq', '--argjson', 'env', '{"a": 1}', '$env', 'a.json'], 'jq --stream . a', 'jq --seq . a', 'jq -n --args $ARGS.positional a b', ['jq', '.a\n| .b', 'a.json']],
    ['jq --argjson n', 'jq --argjson n 5', 'jq --argjson=n 5 .', 'jq --argjson n 5 env', 'jq --slurpfile a b .', 'jq --rawfile a b .', 'jq --args -f x', ['jq', '$ ENV'], ['jq', '--args', '$ ENV', 'a']]],
  ['git lists branches and makes none',
    ['git branch --list feature/*', 'git branch -l x*', 'git branch --list main', 'git branch main --list', 'git branch -a --list *fix*', 'git branch --merged main', 'git branch --merged', 'git branch --merged=main', 'git branch --no-merged main', 'git branch --contains abc123', 'git branch --no-contains abc', 'git branch -r --contains abc', 'git branch --omit-empty'],
    ['git branch main', 'git branch -a main', 'git branch -- main', 'git branch --show-current main', 'git branch --no-column x', 'git branch -v x', 'git branch --merged -D x', 'git branch --merged -D', 'git branch --contains --delete x', 'git branch --list -D x', 'git branch --merged=main x', 'git branch --list -m a b', 'git branch -f --list x']],
  ['echo has no options but its letters', ['echo rm -rf /', 'echo -rf', 'echo --delete', 'echo -', 'echo -n hi', 'echo -- a', ['echo', '$(id)']], [['echo', 'a\nb'], ['echo', '\u001b[2J']]],
  ['a text may hold a tab and no other control character', [['sort', '-t', '\t', 'a'], ['cut', '-d', '\t', '-f2', 'a'], ['grep', 'a\tb', 'x'], ['docker', 'ps', '--format', 'table {{.ID}}\t{{.Names}}']], [['sort', '-t', '\n', 'a'], ['grep', 'a\u000bb', 'x'], ['cat', 'a\tb'], ['docker', 'ps', '--format', '{{.ID}}\u001b']]],
  ['find compares with a file that it names', ['find . -anewer a', 'find . -cnewer a', 'find . -newerct yesterday', 'find . -lname *.so', 'find . -fstype ext4'], ['find . -anewer ~/a', 'find . -cnewer -', 'find . -anewer', 'find . -fprint a', 'find . -fls a', 'find . -newerXX a']],
  ['tar lists members, whatever hyphens are in them', ['tar -tf a.tar my-dir/file-1.txt', 'tar -tf a.tar --wildcards *.ts'], ['tar -tf a.tar -x', 'tar -tf a.tar -- -x', 'tar -tf a.tar b -x', 'tar -tf a.tar a-b --to-command=id', 'tar -tf a.tar --wildcards-match-slash']],
  ['kubectl takes a template from its words, not from a file', ['kubectl get pods -o jsonpath={.spec.profile}', 'kubectl get pods -o custom-columns=F:.spec.file', 'kubectl get pods -o=json', 'kubectl get pods -ojson', 'kubectl get pods --no-headers=true', 'kubectl get pods --request-timeout=5s', 'kubectl logs x --previous=true', 'kubectl version --client=true'],
    ['kubectl get pods -o jsonpath-file=a', 'kubectl get pods -o=go-template-file=a', 'kubectl get pods -o templatefile=a', 'kubectl get pods -o templatefile', 'kubectl get pods -ocustom-columns-file=a', 'kubectl get pods -o go-template-file --template=a', 'kubectl get pods --watch=true', 'kubectl get pods --no-headers=x', 'kubectl logs x --follow=true']],
  ['npm knows names of the registry', ['npm ls -w pkg', 'npm ls --workspaces', ['npm', 'view', 'react@>=16 <18', 'version'], ['npm', 'view', 'react@17 || 18'], 'npm view @types/node version', 'npm view react maintainers[0].email'], ['npm view evil/repo', 'npm view a@evil/repo', 'npm view a@file:b', 'npm view a@b.tgz', 'npm view a.tar.gz', 'npm view a@git+https://x', 'npm ls -w ../x', 'npm ls -w /x']],
  ['each program tells of itself', [...TABLE.keys()].filter((name) => !['docker', 'kubectl'].includes(name)).flatMap((name) => [`${name} --help`, `${name} --version`]), ['docker --help', 'find --help x', 'git log --help', 'git --help -a', 'npm --help --registry=x', 'tar --version -xf a']],
  ['git reads on', ['git log --not main', 'git log --grep=a --invert-grep -E', 'git log -g --date-order', 'git diff -M90% --diff-algorithm=patience --compact-summary', 'git diff --no-prefix --full-index', 'git show -q --first-parent HEAD', 'git grep --column --full-name x', 'git blame -c --ignore-rev abc a', 'git blame -CCC a', 'git rev-parse ^main', 'git rev-parse :/fix', ['git', 'rev-parse', 'HEAD^{/fix bug}'], 'git rev-parse feature/größe', 'git rev-parse feature/#123'],
    ['git log --output=a', 'git diff --ext-diff', 'git show --textconv HEAD:a', 'git log --remerge-diff', 'git diff -Oa', 'git blame --ignore-revs-file=a b', 'git blame -S a b', 'git grep -O x', 'git grep --open-files-in-pager x', 'git grep -f a', 'git grep --no-index x', 'git rev-parse --parseopt', 'git ls-files -X a', 'git rev-parse --sq-quote x', ['git', 'rev-parse', 'a b'], 'git log --stdin', 'git --no-pager log']],
  ['programs for text read on', ['head -c 1K a', 'tail -c 1K a', 'rg -q x', 'rg --max-filesize=1M x', 'grep -Z x a', 'grep --binary-files=without-match x a', 'ls -w 80 -qB --block-size=M', 'cat -u a', 'sort --sort=numeric --parallel=2 --debug a', 'uniq --group a'],
    ['head -c 1X a', 'tail --retry a', 'rg --pre=sh x', 'rg -f a x', 'rg --search-zip x', 'grep -f a b', 'grep -D read x a', 'sort -o a b', 'sort --parallel=99 a', 'sort --compress-program=sh a', 'sort -T a b', 'uniq --group a b']],
  ['programs of the system read on', ['ps auxf', 'ps ux', 'ip a s', 'ip a s eth0', 'ip -4 addr show scope global', 'ip route show dev eth0', 'lscpu -e=CPU,CORE', 'lscpu -p=cpu', 'systemctl --no-pager status x', 'systemctl get-default', 'ss -tn', 'ss -A tcp', 'ss -ltn sport = :22', 'ss -tn exclude established', 'ss -tn src 127.0.0.1', ['date', '+%Y年%m月%d日']],
    ['ps auxe', 'ps uxe', 'ps u e', 'ps auxf e', 'ip l s lo up', 'ip link s lo', 'ip a s eth0 save', 'ip a sa', 'ip r s', 'lscpu -s=x', 'systemctl --no-pager', 'systemctl --no-pager restart x', 'systemctl --no-pager --no-pager stop x', 'systemctl set-default x', 'ss -K', 'ss -A tcp -D x', 'ss src evil.test', 'ss -tn dst evil.test', 'ss src fade.be', 'ss dst fade.be:80', ['date', '+%Y(年)']]],
]

describe.each(KINDS)('%s', (_kind, looks, does) => {
  it('and passes', () => expect(looks.map(wordsOf).filter((words) => !passes(words))).toEqual([]))
  it('and nothing beside it', () => expect(does.map(wordsOf).filter(passes)).toEqual([]))
})
