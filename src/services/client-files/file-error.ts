/** A client's file that is left as it is: the message says why, and what to do instead. */
export class ClientFileError extends Error {
  override readonly name = 'ClientFileError'
}
