/**
 * Everything that this server promises about hostile input, one sentence each, and what keeps it. A promise that
 * a row of the chain keeps is proven twice: it holds with the row, and breaks without it.
 */

/** A row of `src/guard/chain.ts` by the name of its guard, or a file or folder of this repository. */
export type Keeper = { readonly row: string } | { readonly place: string }

export interface Guarantee {
  /** `area.promise`; `proofs/<area>.ts` holds the proof. */
  readonly id: string
  readonly promise: string
  readonly keptBy: Keeper
}

const row = (name: string): Keeper => ({ row: name })
const place = (path: string): Keeper => ({ place: path })

const area = (name: string, promises: readonly (readonly [id: string, promise: string, keptBy: Keeper])[]): readonly Guarantee[] =>
  promises.map(([id, promise, keptBy]) => ({ id: `${name}.${id}`, promise, keptBy }))

export const guarantees: readonly Guarantee[] = [
  ...area('view', [
    ['one-answer', 'A name that is unknown, hidden by scope or switched off gets the same refusal, word for word, from tools, resources, prompts and completions alike.', row('known')],
    ['one-rate', 'Requests for names that the caller cannot see share one rate, whatever they name and why it cannot be seen.', row('known')],
    ['same-order', 'A hidden name is refused before its arguments, its own limits or free places are looked at, as a name that does not exist is.', row('known')],
    ['audit-knows', 'The audit says whether a name was unknown, out of scope or switched off; the caller is not told.', row('known')],
    ['listing', 'A listing shows what the caller may use and nothing else.', place('src/guard/view.ts')],
    ['inherited-names', 'A name that every JavaScript object inherits, such as constructor, names nothing here.', place('src/guard/view.ts')],
  ]),
  ...area('resume', [
    ['once', 'Answers to a question are taken once, while the question is open, from the caller who was asked, for the same component and arguments.', row('resume')],
    ['counted-once', 'A call that comes back with its answers is not counted a second time; one with a false ticket is.', row('resume')],
  ]),
  ...area('quota', [
    ['per-caller', 'A caller above its rate for a component is refused until the bucket refills; other callers and components are not affected.', row('quota')],
    ['per-subject', 'All tokens of one subject draw on one bucket.', row('quota')],
    ['fails-closed', 'A rate store that says no or fails stops the call before the tool runs.', row('quota')],
  ]),
  ...area('budget', [
    ['per-day', 'Where a daily budget is set and rate limits are on, a caller that used it up is refused, whichever component it calls.', row('budget')],
  ]),
  ...area('concurrency', [
    ['per-caller', 'No caller has more calls running than its share; places come back however a call ends.', row('concurrency')],
    ['whole-server', 'No more calls run at once than the server allows, whoever makes them.', row('concurrency')],
  ]),
  ...area('deadline', [
    ['answered', 'A tool that ignores its signal does not keep the caller waiting past the time limit.', row('deadline')],
    ['aborts', 'When the time is over, the signal that the tool was given aborts.', row('deadline')],
    ['human-time', 'The time that a person takes to answer is not the time of the call.', place('src/guard/running-call.ts')],
    ['cancel', 'A caller that cancels is answered at once, and the signal that the tool was given aborts.', place('src/guard/running-call.ts')],
  ]),
  ...area('shape', [
    ['strict', 'Input that is not exactly what the schema says, an unknown field included, does not reach the tool.', row('shape')],
    ['no-echo', 'A refused input is described by known field names and rules; no value and no made-up name comes back.', place('src/kernel/schema.ts')],
  ]),
  ...area('access', [
    ['default-deny', 'What no grant covers is denied, for tools, resources and prompts; the refusal does not name the resource.', row('access')],
    ['every-name', 'Each thing that a call names is authorised; one denial refuses the whole call before anything happens.', row('access')],
    ['own-namespace', 'Under the default grants a caller writes below its own name only, and a subject that could climb out of its name writes nowhere.', row('access')],
    ['spelled-kinds', 'A grant that lists no kinds does not reach repository files, memory, or queries that read no table.', row('access')],
    ['boundary', 'A grant for a prefix covers what is below it, never a sibling whose name only begins alike.', row('access')],
    ['fails-closed', 'An authorizer that throws, rejects or answers anything but true denies.', row('access')],
    ['bad-policy', 'A policy that cannot be applied as written stops the start.', place('src/app/policies.ts')],
  ]),
  ...area('level', [
    ['denied', 'A component that the operator set to DENIED does not run.', row('level')],
    ['restricted', 'A RESTRICTED component runs only where the operator opted into it by name.', row('level')],
    ['rise', 'A single call may need more trust than its tool declares; it never needs less than what is set.', row('level')],
  ]),
  ...area('consent', [
    ['headless', 'What needs a person to agree is refused where nobody can be asked.', row('consent')],
    ['explicit-yes', 'Only an explicit yes lets the call run: no other answer, no other action and no failure to answer does.', row('consent')],
    ['as-seen', 'What a person agreed to replace is replaced only if it still is what they saw.', row('consent')],
    ['no-flag', 'No argument stands for a person, but for overwrite of doc_write where its client cannot ask one or the operator wants nobody asked.', row('consent')],
    ['policy', 'An answer that was given under another policy does not count.', row('resume')],
  ]),
  ...area('intent', [
    ['before', 'An effect is on record before it happens.', row('intent')],
    ['nowhere', 'An effect is refused when neither the trail nor the log can take its record.', row('intent')],
    ['log-is-enough', 'Where the trail fails, an effect goes on with a record in the log, unless the trail is required.', row('intent')],
    ['required', 'With AUDIT_REQUIRED, an effect that the trail cannot take is refused even where the log can.', row('intent')],
  ]),
  ...area('output', [
    ['shape', 'An answer without the shape that its tool promised is a fault, and nothing of it leaves.', row('output')],
  ]),
  ...area('sanitise', [
    ['hidden', 'Text from outside carries no escape sequence and no character that a person would not see, in fields, blocks and resources.', row('sanitise')],
    ['documents', 'A document is rebuilt for its format: no HTML, no image and no link but http and https of Markdown leaves, and no JSON of two meanings.', row('sanitise')],
    ['reserved', 'A member _meta, by which a protocol speaks to clients, does not leave in what came from outside.', place('src/kernel/leaf.ts')],
  ]),
  ...area('redact', [
    ['own-secrets', 'A secret of this server, of eight characters or more, does not leave: not as it is, nor in JSON, URL, base64, base64url or hex spelling.', row('redact')],
    ['declared-scan', 'A tool that declares it has credentials of any kind taken out of its answers, whoever they belong to.', row('redact')],
    ['every-kind', 'Secrets are removed from tools, resources, prompts and completions, from names of fields as from values.', row('redact')],
  ]),
  ...area('bound', [
    ['cut-marked', 'A text larger than the limit is cut, and the cut says how much is shown.', row('bound')],
  ]),
  ...area('frame', [
    ['fence', 'Content from outside stands between fences that are random for each answer, so the content cannot forge one.', row('frame')],
    ['notice', 'An answer that holds text from outside says that it is data.', row('frame')],
  ]),
  ...area('audit', [
    ['one-record', 'Each call leaves exactly one record in the trail and one in the log, whatever it came to; an effect that was begun has one more, from before it.', row('audit')],
    ['shapes', 'A record holds the shape of the arguments, never a value or a name that the caller made up.', place('src/app/journal.ts')],
    ['door-events', 'What a door answers or drops before there is a call leaves a record too.', place('src/app/journal.ts')],
    ['tampering', 'A row of the trail that was changed or taken out is found by verification.', place('src/services/audit')],
  ]),
  ...area('contain', [
    ['masked', 'The text of an exception never reaches a caller; the caller gets an incident id.', row('contain')],
    ['fault-line', 'The log keeps a fault under the same incident id: the class of the error and the lines of it that read as stack frames, nothing else.', row('contain')],
  ]),
  ...area('egress', [
    ['private-range', 'No address that is not public is fetched, however it is written, wrapped in IPv6 or resolved.', place('src/exits/net')],
    ['mixed-answer', 'A name with one address that may not be reached is refused whole.', place('src/exits/net')],
    ['pinned', 'The connection goes to the address that was checked; the name is not resolved again.', place('src/exits/net')],
    ['redirects', 'Every redirect passes all checks of the exit again, and there are only so many of them.', place('src/exits/net')],
    ['destination', 'Only http and https are fetched, on the ports and from the hosts that are allowed; a list that was set and is empty allows none.', place('src/exits/net')],
    ['no-credentials', 'A request that goes out carries no credential, cookie or header of the caller.', place('src/exits/net')],
    ['bounded', 'A body larger than the limit, counted after decompression, is refused.', place('src/exits/net')],
  ]),
  ...area('sql', [
    ['read-only', 'Of SQL from a caller, one statement that only reads can reach a database; anything else is refused before.', place('src/services/sql')],
    ['functions', 'A query calls no function that is not on the list of those that change nothing, wait for nothing and read no file.', place('src/services/sql')],
    ['every-table', 'Each table that a query reads, however it is named, is authorised; a query over none needs a grant of its own.', place('src/services/sql')],
  ]),
  ...area('jail', [
    ['inside', 'Nothing outside the served folder is read: not by parent components, absolute paths or links.', place('src/exits/disk')],
    ['one-text', 'Missing, outside, special and unreadable files get one refusal, which does not name the path.', place('src/exits/disk')],
    ['credentials', 'Files that hold credentials are not read, by their own name or by a link.', place('src/policy/credential-paths.ts')],
    ['bounded', 'A file larger than the limit is refused.', place('src/exits/disk')],
  ]),
  ...area('local-paths', [
    ['inside', 'Files of this machine are read and changed below the allowed folders alone, both by name and where a name really leads.', place('src/services/local-files/ground.ts')],
    ['hidden', 'What is denied, by the operator or as a credential, is neither shown, found, changed nor taken away, in any spelling of its name.', place('src/policy/path-policy.ts')],
    ['protected', 'What shells, schedulers, editors and repositories obey is never changed through these tools.', place('src/policy/default-path-rules.ts')],
    ['roots', 'An allowed folder, one above it and a link to it can be neither deleted nor moved, however it is spelled.', place('src/services/local-files/ground.ts')],
    ['before-asking', 'What the path policy refuses is refused before a person is asked, at both ends of a copy or a move.', place('src/services/local-files')],
  ]),
  ...area('commands', [
    ['off', 'No program of this machine is run before the operator switched commands on.', place('src/app/local.ts')],
    ['listed', 'A program runs by its bare name with the options and operands of its grammar alone; anything else is denied.', place('src/policy/commands')],
    ['files', 'A file that a command names is under the path policy, and a word that could be two places is refused.', place('src/policy/commands/match-arguments.ts')],
    ['own-folder', 'A program that looks at its working folder where it is given none is under the path policy there too.', place('src/policy/commands/match-arguments.ts')],
    ['environment', 'A program is started without a shell, with an environment of ours alone and without a home folder.', place('src/services/commands')],
    ['system', 'Only a program that root alone could have put in its place is started.', place('src/exits/process/system-program.ts')],
    ['person', 'A command is run only once a person agreed to its very words.', place('src/tools/host/run-command.ts')],
  ]),
  ...area('undo', [
    ['exact', 'Taking back a run restores what it touched and nothing else: bytes, permissions, links and absence.', place('src/services/local-files/undo.ts')],
    ['others', 'What something else changed after a run is left as it is when the run is taken back.', place('src/services/local-files/undo.ts')],
  ]),
  ...area('git', [
    ['no-process', 'A repository is read without starting a program, whatever its configuration names.', place('src/services/git')],
    ['inside', 'A repository whose own folder lies elsewhere is not read.', place('src/services/git/jailed-fs.ts')],
  ]),
  ...area('docs', [
    ['no-trace', 'A document that the caller may not read leaves no trace in searches, scans, indexes and completions.', place('src/tools/docs')],
    ['same-safety', 'A document read as a resource is as safe as one read by the tool: same access, same cleaning, same fence.', place('src/tools/docs')],
    ['values', 'What a scan finds is never in its answer, the log or the trail.', place('src/services/secrets')],
    ['prompts', 'A prompt holds no text of a document, and no argument of it can end the sentence that it stands in.', place('src/tools/docs')],
  ]),
  ...area('ownership', [
    ['memory', 'Memory and keys of one subject are not found, listed, read or deleted by another, who cannot tell that they exist.', place('src/services/memory')],
    ['tasks', 'Tasks and timers of one subject are not listed, read or stopped by another, who cannot tell that they exist.', place('src/services/tasks')],
  ]),
  ...area('repo', [
    ['no-trace', 'A file that the caller may not read leaves no trace in searches, outlines and graphs of the source tree.', place('src/tools/repo')],
    ['inside', 'Nothing outside the source tree is searched, outlined or read: not by links, parent components or absolute paths.', place('src/exits/disk')],
    ['no-process', 'No program is started to look at a source tree, git included, whatever the tree asks for.', place('src/services/repo')],
  ]),
  ...area('context', [
    ['budget', 'A pack holds no more tokens than the caller gave it, counted over the whole answer.', place('src/tools/context')],
    ['granted', 'A pack holds nothing of a source that the caller may not read, and no credential of any.', place('src/services/sources')],
  ]),
  ...area('models', [
    ['data', 'What a model is shown of files stands quoted as data, and what it says comes back as data; it calls nothing.', place('src/tools/assist')],
    ['granted', 'No model is shown a file that the caller may not read.', row('access')],
  ]),
  ...area('exec', [
    ['opened-twice', 'Code of a caller runs only where the operator enabled it and a grant of its own names the language.', place('src/app/gates.ts')],
    ['no-fallback', 'No runner stands in for another: where the one that was asked for cannot be had, the server does not start.', place('src/app/runner.ts')],
  ]),
  ...area('notify', [
    ['listed', 'A message is sent only to a destination that the operator listed and a grant of its own covers.', place('src/policy/webhook.ts')],
  ]),
  ...area('calculate', [
    ['no-code', 'An expression is arithmetic or a refusal; there is nothing in it that could run.', place('src/tools/core/arithmetic.ts')],
  ]),
  ...area('integrity', [
    ['digest', 'One digest covers the definition of every enabled tool; whatever changes in one changes the digest, and order does not.', place('src/services/surface')],
  ]),
  ...area('kill-switch', [
    ['setting', 'A component named in the settings is out of service, in listings and calls; a template takes every URI it expands to with it.', place('src/app/kill-switch.ts')],
    ['file', 'A component named in the kill switch file goes out of service while the server runs.', place('src/app/kill-switch.ts')],
    ['typo', 'A name in the settings that names nothing stops the start.', place('src/app/kill-switch.ts')],
    ['vanished-file', 'A kill switch file that vanishes puts nothing back into service.', place('src/app/kill-switch.ts')],
  ]),
  ...area('tool', [
    ['only-what-it-names', 'A tool is handed the services that it names, and no other exists for it.', place('src/app/components.ts')],
    ['origins', 'A tool with a text in its answer whose origin is not declared does not build.', place('src/kernel/leaf.ts')],
  ]),
  ...area('library', [
    ['anonymous', 'A call through the library that names no caller is anonymous: whatever has a scope is unknown to it.', place('src/doors/library')],
    ['exact-scopes', 'A subject has the scopes that it was given, compared exactly; one without a name has none.', place('src/doors/library')],
  ]),
  ...area('settings', [
    ['unknown', 'A setting that does not exist, or has a value that is not accepted, stops the start; all problems are reported together.', place('src/config')],
    ['no-echo', 'A problem with a setting never repeats the value that was given.', place('src/config')],
  ]),
]
