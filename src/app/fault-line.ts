/** The log line of a fault: its class and its stack, never its message, which may hold arguments. */

const MAX_FRAMES = 12
const UNREADABLE = { kind: 'unreadable', frames: [] } as const

/** Never throws: what was thrown may be anything, and throw in its turn. */
export function faultLine(incident: string, error: unknown, atMs: number): string {
  const { kind, frames } = describe(error)
  return JSON.stringify({
    ts: new Date(atMs).toISOString(), event: 'fault', incident, class: kind,
    stack: frames.slice(0, MAX_FRAMES).map((frame) => frame.trim().slice(0, 200)),
  })
}

function describe(error: unknown): { readonly kind: string; readonly frames: readonly string[] } {
  try {
    return error instanceof Error ? { kind: nameOf(error), frames: framesOf(error) } : { kind: typeof error, frames: [] }
  } catch {
    return UNREADABLE
  }
}

const NAME = /^[A-Za-z_$][\w$]{0,59}$/
const nameOf = ({ constructor: { name } }: Error): string => (NAME.test(name) ? name : 'Error')

/** A frame as the engine writes one, with a place at its end. What gives a name a value, or stands elsewhere, was put there by somebody. */
const FRAME = /^\s+at [^=?]{0,1000}(?::\d+:\d+|<anonymous>|native|index \d+)\)?$/

/** The stack after the message: a message may hold lines that look like frames. */
function framesOf({ stack = '', message }: Error): readonly string[] {
  const at = stack.lastIndexOf(message)
  if (at === -1) return []
  return stack.slice(at + message.length).split('\n').filter((line) => FRAME.test(line))
}
