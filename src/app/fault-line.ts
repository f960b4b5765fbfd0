/** The log line of a fault: its class and its stack, never its message, which may hold arguments. */

const MAX_FRAMES = 12

export function faultLine(incident: string, error: unknown, atMs: number): string {
  const kind = error instanceof Error ? error.constructor.name : typeof error
  const frames = error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : []
  return JSON.stringify({
    ts: new Date(atMs).toISOString(), event: 'fault', incident, class: kind.slice(0, 60),
    stack: frames.slice(0, MAX_FRAMES).map((frame) => frame.trim().slice(0, 200)),
  })
}
