/**
 * General words of programming: those that say nothing, abbreviations with what they stand for, and words that
 * stand for each other in questions. They are the same for every tree, so no tree can shape another one's answers.
 */

const list = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Words without a subject. Short on purpose: `not`, `all`, `from` and `into` tell declarations apart. */
export const STOP_WORDS: ReadonlySet<string> = new Set(list(`
  a an the of to in on for and or is are be was were been it its this that these those with as at by do does did how
  what which who why can could should would will i you my your me we our so there their they using use self cls`))

/** An abbreviation and its word are one term, in code and in questions. */
export const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(`
  str string, strs string, int integer, ints integer, bool boolean, char character, chars character, dict dictionary,
  dicts dictionary, arr array, arrs array, func function, fn function, funcs function, meth method, obj object,
  objs object, param parameter, params parameter, arg argument, args argument, kwargs argument, attr attribute,
  attrs attribute, var variable, vars variable, val value, vals value, num number, nums number, idx index, ix index,
  ind index, len length, dir directory, dirs directory, img image, imgs image, msg message, msgs message, err error,
  errs error, exc exception, ctx context, cfg config, conf config, configuration config, env environment, db database,
  tbl table, col column, cols column, doc document, docs document, elem element, elems element, elt element, el element,
  tmp temporary, temp temporary, src source, dst destination, dest destination, req request, res result, resp response,
  ret return, cmd command, cmds command, proc process, procs process, pos position, ptr pointer, ref reference,
  refs reference, rand random, rnd random, max maximum, min minimum, avg average, std standard, dev deviation,
  stdev deviation, cnt count, calc calculate, init initialize, initialise initialize, del delete, rm remove,
  mkdir directory, cp copy, mv move, fmt format, pkg package, lib library, libs library, mod module, regex regexp,
  regexes regexp, re regexp, sep separator, delim delimiter, desc description, info information, lang language,
  lst list, df dataframe, mat matrix, mtx matrix, vec vector, vect vector, freq frequency, fig figure, fname filename,
  filepath path, addr address, auth authentication, conn connection, cur cursor, curr current, prev previous,
  sec second, secs second, seconds second, sess session, stmt statement, sym symbol, tok token, txt text, usr user,
  pwd password, passwd password, util utility, utils utility, ver version, win window, wnd window, btn button,
  exec execute, eval evaluate, coord coordinate, coords coordinate, dim dimension, dims dimension, dist distance,
  diff difference, ext extension, iter iterate, neg negative, norm normalize, opt option, opts option, perm permission,
  perms permission, prop property, props property, ts timestamp, dt datetime, tz timezone, sig signature,
  spec specification, sync synchronize, async asynchronous, alloc allocate, cond condition, decl declaration,
  def definition, expr expression, impl implementation, iface interface, pct percent, perc percent, percentage percent,
  seq sequence, seqs sequence, asc ascending, gen generate, repr representation, eq equal, lc lowercase, uc uppercase,
  lon longitude, lng longitude, lat latitude, thresh threshold, buf buffer, cb callback, ch channel, cli client,
  srv server, svc service, mgr manager, mem memory, alg algorithm, algo algorithm, app application, apps application,
  arch architecture, bg background, fg foreground, dup duplicate, dups duplicate, dupes duplicate, hdr header,
  hist histogram, lim limit, loc location, mult multiply, orig original, pic picture, pref preference, prefs preference,
  qty quantity, rec record, recv receive, reg register, rel relative, repo repository, seg segment, sel select,
  stat statistic, stats statistic, subdir subdirectory, subdirs subdirectory, tol tolerance, trans transform,
  uniq unique, upd update, vert vertical, horiz horizontal`.trim().split(/,\s*/).map((pair) => {
  const [short = '', word = ''] = pair.split(' ')
  return [short, word] as const
}))

/** Words that a question may use for one another. They count for less than the word that was typed. */
export const SYNONYMS: readonly (readonly string[])[] = [
  'get fetch retrieve obtain load read find', 'remove delete drop strip erase discard eliminate clear pop',
  'make create build generate construct new', 'check test validate verify',
  'convert transform cast parse turn change translate', 'show display print output draw render', 'plot draw graph chart',
  'set assign update change modify', 'save store write dump persist export', 'load read import open',
  'join concatenate merge combine concat', 'split separate divide partition chunk tokenize',
  'find search look lookup locate query', 'count number length size', 'list array sequence', 'dictionary map hash mapping',
  'string text', 'folder directory', 'path filename', 'average mean', 'begin start first', 'end finish last stop',
  'stop halt terminate kill quit exit close', 'run execute call invoke launch', 'sort order rank', 'random shuffle sample',
  'unique distinct duplicate deduplicate', 'empty blank null none', 'maximum largest highest biggest greatest',
  'minimum smallest lowest', 'trim strip truncate crop', 'copy clone duplicate', 'add append insert push',
  'equal same identical compare match', 'iterate loop traverse walk', 'flatten unnest', 'encode encrypt', 'decode decrypt',
  'replace substitute', 'reverse invert', 'round truncate', 'wait sleep pause delay', 'send post', 'receive get',
  'error exception', 'throw raise', 'log logger', 'thread process', 'parameter argument', 'field attribute property column',
  'row record line', 'picture image', 'url link uri', 'zero null', 'float decimal double', 'ask prompt input',
  'capitalize uppercase', 'lowercase lower', 'enumerate index', 'intersection common', 'union merge',
  'whitespace space blank', 'uncompress unzip extract decompress', 'compress zip', 'sum total add', 'multiply product',
  'slice subset', 'parallel concurrent multiprocessing', 'screen window display', 'hide invisible', 'big large',
  'small little', 'quick fast', 'type kind', 'change modify alter edit', 'contain include has',
].map(list)

/** Words that are often written together with another one and no sign between: `makedirs`, `filename`, `isinstance`. */
export const COMPOUND_WORDS: ReadonlySet<string> = new Set([...list(`
  id io ip is os db
  add address alpha append archive area args array attr author axes axis back bar base batch bit black block board body
  book border bottom box buffer build builder button byte bytes cache call callback case cell char check child chunk class
  clean clear click client clone close code col color column combo command compare compile compress config content cookie
  copy count create cross data database date dates day days decode decrypt default del depth device dialog dict digit dir
  directory dirs doc docs document double down draw drop dump edge edit email empty encode encrypt end ends env equal
  equals error event exec execute exists export factory field file files filter find first flag float flow folder font form
  format frame from front full func function get graph grid group half handler has hash head header heap height helper hex
  hit home host hour html http image images import index info init input insert instance int item items iter join json key
  keys keyboard kit label language last layout left len letter level limit line lines link list listener load loader lock
  log logger login long loop lower mail map margin mark mask match matrix max mean media menu merge message meta method min
  minute mode model month mouse move multi name names node not note null num number object off old open option order out
  output over page pair pan panel param params parent parse parser pass password path paths pixel place play plot point
  pool port pos post press print process profile proxy query queue quote radio rand range rank raw read reader record
  reduce remove rename render replace report request reset response return right root round row rows run safe sample save
  scale schema scope screen script scroll search second section seed select sequence series server session set setting
  settings shape share sheet sheets shell short show side size sleep sort source space split stack stamp start starts state
  station status std stderr stdin stdout step stop store str stream string strip style sub sum super swap sync system tab
  table tag tail task temp test text thread time times title token tool top track trans trap tree trim try tuple type types
  unit up update upper uri url user utf valid validate value values var vector version view wait walk web week weight
  wheel white widget width wild window word words work wrap write writer xml yaml year zip zone`),
...[...ABBREVIATIONS.keys(), ...SYNONYMS.flat()].filter((word) => word.length > 2)])

/** What a file's ending says about its language, so that the language in a question weighs what it tells apart. */
export const LANGUAGES: ReadonlyMap<string, string> = new Map(`
  py python, pyi python, ts typescript, tsx typescript react, mts typescript, cts typescript, js javascript, mjs javascript,
  cjs javascript, jsx javascript react, go go golang, rs rust, java java, kt kotlin, kts kotlin, rb ruby, php php, c c, h c,
  cc cpp, cpp cpp, cxx cpp, hpp cpp, hh cpp, cs csharp, swift swift, scala scala, sh shell bash, bash shell bash,
  zsh shell, md markdown, sql sql, html html, css css, json json, yml yaml, yaml yaml, toml toml`.trim().split(/,\s*/).map((pair) => {
  const [ending = '', ...words] = pair.split(' ')
  return [ending, words.join(' ')] as const
}))
