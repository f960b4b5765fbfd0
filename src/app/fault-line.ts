/** The log line of a fault: its class and its stack, never its message, which may hold arguments. */

const MAX_FRAMES = 12

export function faultLine(incident: string, error: unknown, atMs: number): string {
  const kind = error instanceof Error ? error.constructor.name : typeof error
  const frames = error instanceof Error ? framesOf(error) : []
  return JSON.stringify({
    ts: new Date(atMs).toISOString(), event: 'fault', incident, class: kind.slice(0, 60),
    stack: frames.slice(0, MAX_FRAMES).map((frame) => frame.trim().slice(0, 200)),
  })
}

/** The stack after the message: a message may hold lines that look like frames. */
function framesOf({ stack = '', message }: Error): readonly string[] {
  const at = stack.lastIndexOf(message)
  if (at === -1) return []
  return stack.slice(at + message.length).split('\n').filter((line) => /^\s+at /.test(line))
}
