/** JSON messages over a byte stream, each after its length in four bytes (network order). */

const HEADER = 4
const MAX_FRAME_BYTES = 256 * 1024 * 1024

export function frameOf(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message))
  const frame = Buffer.allocUnsafe(HEADER + body.length)
  frame.writeUInt32BE(body.length)
  body.copy(frame, HEADER)
  return frame
}

/** Takes the stream's chunks as they come. @throws RangeError for a message that is too large, SyntaxError for no JSON. */
export function createFrameReader(onMessage: (message: unknown) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = []
  let held = 0
  let wanted = HEADER
  let inBody = false
  const take = (): Buffer => {
    const all = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
    const rest = all.subarray(wanted)
    chunks = rest.length > 0 ? [rest] : []
    held = rest.length
    return all.subarray(0, wanted)
  }
  return (chunk) => {
    chunks.push(chunk)
    held += chunk.length
    while (held >= wanted) {
      const part = take()
      if (inBody) onMessage(JSON.parse(part.toString('utf8')))
      wanted = inBody ? HEADER : part.readUInt32BE()
      inBody = !inBody
      if (wanted > MAX_FRAME_BYTES) throw new RangeError('a message over the private socket is too large')
    }
  }
}
