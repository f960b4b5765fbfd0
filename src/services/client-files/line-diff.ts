/** What an edit in one place changed, line by line, with two lines around it. */

const AROUND = 2

/** @returns lines that start with a blank, `-` or `+`; none where the texts are equal. */
export function lineDiff(before: string, after: string): readonly string[] {
  if (before === after) return []
  const [old, now] = [linesOf(before), linesOf(after)]
  const shorter = Math.min(old.length, now.length)
  let head = 0
  while (head < shorter && old[head] === now[head]) head += 1
  let tail = 0
  while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1
  const from = Math.max(0, head - AROUND)
  return [
    `@@ line ${from + 1} @@`,
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + AROUND).map((line) => ` ${line}`),
  ]
}

const linesOf = (text: string): readonly string[] => {
  const lines = text.split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
