/** Headings of Markdown that begin with signs (CommonMark §4.2), read in time that grows with their line and not with its square. */

const OPENING = /^ {0,3}(#{1,6})(?=[ \t]|$)(.*)$/
const BLANK = /[ \t]/

export interface AtxHeading {
  readonly level: number
  /** Without the signs that may close it. */
  readonly title: string
}

/** @param line without its end. */
export function atxHeading(line: string): AtxHeading | undefined {
  const [, signs, rest = ''] = OPENING.exec(line) ?? []
  if (signs === undefined) return undefined
  const written = rest.trim()
  let end = written.length
  while (written[end - 1] === '#') end -= 1
  const isClosed = end === 0 || BLANK.test(written[end - 1] ?? '')
  return { level: signs.length, title: isClosed ? written.slice(0, end).trim() : written }
}
