/** Splits a stream of server-sent events (WHATWG HTML §9.2) into frames, as the protocol library writes them. */

const FRAME_END = '\n\n'
const DATA = 'data: '

/** Each frame whole, its end included. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    for (let end = rest.indexOf(FRAME_END); end !== -1; end = rest.indexOf(FRAME_END)) {
      yield rest.slice(0, end + FRAME_END.length)
      rest = rest.slice(end + FRAME_END.length)
    }
  }
}

/** The data of a frame, or undefined for a comment. */
export function dataOf(frame: string): string | undefined {
  const lines = frame.split('\n').filter((line) => line.startsWith(DATA))
  return lines.length === 0 ? undefined : lines.map((line) => line.slice(DATA.length)).join('\n')
}

export const frameOf = (data: string): string => `event: message\n${DATA}${data}${FRAME_END}`
