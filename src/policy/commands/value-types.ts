/** What a value of a command may look like. */

import { isPureFilter } from './jq-filter.ts'

interface Looks {
  test(text: string): boolean
}

/** Verifying a signature runs the program that the repository's configuration names; a bare name may stand for a format from there. */
const isHarmlessFormat = (text: string): boolean =>
  /^(?:|oneline|short|medium|full|fuller|reference|email|mboxrd|raw|t?format:[\t\P{Cc}]*|[\t\P{Cc}]*%[\t\P{Cc}]*)$/u.test(text) && !/%[+\- ]*G/.test(text)

/** `FILE`, `VOLUME`, `ARCHIVE` and `TAILED` also go through the path policy. */
export const VALUE_TYPES = {
  COUNT: /^\d{1,9}$/,
  /** A count of helpers, each of which costs memory. */
  FEW: /^(?:[1-9]|1[0-6])$/,
  SIGNED: /^[+-]?\d{1,9}$/,
  SIZE: /^\d{0,12}(?:[KMGTPEZY](?:i?B)?|[kb])?$/,
  /** As head and tail count, from the end or the start. */
  AMOUNT: /^[+-]?\d{1,12}(?:[kKMGTPEZY](?:i?B)?|b)?$/,
  /** How alike is a copy; blame takes the letter up to three times. */
  SCORE: /^C{0,2}(?:\d{1,5}%?)?$/,
  BOOL: /^(?:true|false)$/,
  WORD: /^[A-Za-z0-9][\w.-]{0,63}$/,
  NAME: /^[A-Za-z_]\w{0,63}$/,
  NAMES: /^[\w%+-][\w%.,:+-]{0,255}$/,
  /** Names that cannot be an option: where it knows no such user, ps reads all words anew, this one among them. */
  SUBJECTS: /^[\w%+][\w%.,:+/-]{0,255}$/,
  /** After a single letter an equals sign may precede them. */
  LIST: /^=?\w[\w-]{0,31}(?:,\w[\w-]{0,31}){0,31}$/,
  COLUMNS: /^(?:(?:pid|ppid|pgid|sid|uid|user|ruser|euser|gid|group|rgroup|egroup|comm|ucmd|ucomm|%cpu|pcpu|%mem|pmem|rss|rssize|vsz|vsize|sz|stat|state|s|start|start_time|stime|lstart|etime|etimes|time|times|cputime|ni|nice|pri|tty|tt|psr|nlwp|thcount|tid|lwp|wchan|cls|class|rtprio|f|flags|unit|slice)(?:=\w*)?(?:,|$))+$/,
  TEXT: /^[\t\P{Cc}]*$/u,
  DATE: /^[\w .:/,+@-]{1,100}$/,
  FORMAT: /^\+[\p{L}\p{M}\p{N}_ \t%:.,/^#+-]*$/u,
  FILE: /^(?!-$)[^\p{Cc}]+$/u,
  /** Something on the volume that is asked about. The root of all is there, and every list of volumes names it. */
  VOLUME: /^(?!-$)[^\p{Cc}]+$/u,
  /** Of a unit of the system, what tells neither how it is started nor with which environment. */
  PROPERTIES: /^(?:(?:Id|Names|Description|Documentation|LoadState|ActiveState|SubState|UnitFileState|UnitFilePreset|Type|Result|Restart|NRestarts|MainPID|ExecMainPID|ExecMainCode|ExecMainStatus|(?:Active(?:Enter|Exit)|Inactive(?:Enter|Exit)|StateChange|ExecMain(?:Start|Exit))Timestamp|MemoryCurrent|MemoryPeak|CPUUsageNSec|TasksCurrent|TasksMax|Requires|Wants|WantedBy|RequiredBy|After|Before|TriggeredBy|Triggers|FragmentPath|NextElapseUSecRealtime|LastTriggerUSec)(?:,(?=.)|$))+$/,
  /** By its obsolete form `+5f` tail follows a file for ever. */
  TAILED: /^(?!-$)(?!\+\d*[bcl]?f?$)[^\p{Cc}]+$/u,
  /** A name in any script, with what git takes behind it; blanks only in the text of a message that it looks for. */
  REVISION: /^(?=.{1,256}$)\^?(?:[\p{L}\p{M}\p{N}_@.:][\p{L}\p{M}\p{N}_@./^{}:~+#=,%!-]*(?:\{\/[^\p{Cc}}]*\})?|:\/[^\p{Cc}]*)$/u,
  GITFORMAT: { test: isHarmlessFormat },
  GITGROUP: /^(?:author|committer|trailer:[\w-]{1,64}|format:(?!.*%[+\- ]*G)[\t\P{Cc}]*)$/u,
  /** Of references, where the atom verifies a signature, too. */
  REFFORMAT: /^(?!.*signature)[\t\P{Cc}]*$/u,
  /** A word, or several with commas, as in `pods,services` and `deploy/x`. */
  OBJECTS: /^[A-Za-z0-9][\w.,:/@-]{0,255}$/,
  /** A name of the registry with a range of versions: no folder, no archive, no repository. */
  PACKAGE: /^(?!.*\.(?:tgz|tar|tar\.gz)$)(?:@[\w~-][\w.~-]{0,100}\/)?[A-Za-z0-9][\w.~-]{0,200}(?:@[\w.^~*<>=|+ -]{0,100})?$/i,
  PROPERTY: /^[A-Za-z0-9][\w.:/@[\]-]{0,255}$/,
  /** The JSON language without its ways to load files and to read the environment. */
  JQ: { test: isPureFilter },
  /** A colon would name another machine. */
  ARCHIVE: /^(?!-$)[^\p{Cc}:]+$/u,
  /** Not by a template in a file. */
  OUTPUT: /^=?(?:[a-z]+(?<!file)|(?:custom-columns|go-template|template|jsonpath|jsonpath-as-json)=[\t\P{Cc}]*|go-template|custom-columns|jsonpath-as-json)$/u,
  OBJECT: /^[A-Za-z0-9][\w.:/@-]{0,255}$/,
} as const satisfies Record<string, Looks>

export type ValueType = keyof typeof VALUE_TYPES

/** The types whose values are places. */
export const PLACES: ReadonlySet<ValueType> = new Set<ValueType>(['FILE', 'VOLUME', 'ARCHIVE', 'TAILED'])
