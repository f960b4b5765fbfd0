/** The page about runners: what each keeps code from, and the list of what `subprocess` does not stop. */

import type { Attempt, Verdict } from './escape-attempt.ts'

/** One line for each attempt of a verdict. */
export const listOf = (attempts: readonly Attempt[], verdict: Verdict): string =>
  attempts.filter(({ subprocess }) => subprocess === verdict).map(({ id, says }) => `- ${says} (\`${id}\`)`).join('\n')

export const renderRunners = (attempts: readonly Attempt[]): string => `# What runs code, and what it does not stop

\`run_snippet\` and \`run_tests\` are absent until \`ARROWHEAD_EXEC_ENABLED\` is set, and denied until the \`execute\` action is
granted. Where code then runs is one setting, \`ARROWHEAD_EXEC_RUNNER\`. No runner stands in for another: one that cannot
run on a machine refuses, and where \`sandbox\`, \`container\` or \`wasm\` was asked for and cannot be had, the server does not
start. \`arrowhead doctor\` says which it is.

| | subprocess | sandbox | container | wasm |
|---|---|---|---|---|
| needs | Python or Node.js; util-linux for the limits | Linux, bubblewrap 0.8, util-linux, user namespaces | docker or podman, and an image | nothing |
| runs | Python, JavaScript, tests | Python, JavaScript, tests | what the image has | JavaScript, no tests |
| network | **as the server** | none | none | none |
| files | **all that its user may read** | the system, read-only; nothing of \`/etc\`, no home | the image, read-only | none |
| other processes | **visible** | none | none | none |
| system calls | all | filtered | the engine's filter | none |
| processor, wall clock, output | limited | limited | limited | limited |
| memory | each process, and all together (watched) | each process, and all together (watched) | all together | of the engine |
| disk | each file | the working folder as a whole | the working folder as a whole | none |

## How the limits hold

Code is started by an argument list, never by a shell, with an environment made from nothing, in a process group of its
own, and with no descriptor but its input and output. Whatever ends it, the whole group is killed. Output over the cap
ends it at once. Where the server is root, every run becomes a user of its own, because limits of processes do not bind
root; the folder of \`ARROWHEAD_EXEC_WORKDIR\` must then be one that everybody may enter, for \`subprocess\`.

Memory of all processes of a run together is looked at several times a second; between two looks it can go over.

In \`sandbox\`, code sees \`/usr\`, Node.js, a \`/proc\` of its own and a working folder in memory. It has no capabilities and
cannot gain any. \`run_tests\` copies the authorised part of the repository, without links, without the folders of
\`ARROWHEAD_REPO_EXCLUDED_DIRS\` and without files that name credentials; nothing is ever copied back. It sees what is
installed below \`/usr\`: do not keep secrets there.

In \`wasm\`, a program has \`console.log\`, \`console.error\`, \`print\` and the text of its input as \`stdin\`.

A sandbox shares the kernel with everything else on the machine. A hole in the kernel that the filter leaves reachable
is a hole in the sandbox; who must rule that out gives the server a machine of its own.

## What \`subprocess\` does not stop

Each line was tried; the same test tries ${attempts.length} ways in \`sandbox\`, where none works. In \`subprocess\`, code

${listOf(attempts, 'open')}

and, depending on the machine and on whether the server is root (which gives each run a user of its own), code also

${listOf(attempts, 'depends')}

## What it does stop

In \`subprocess\` too, no code

${listOf(attempts, 'stopped')}
`
