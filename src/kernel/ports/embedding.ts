/** Text into vectors, as a port. Adapters: offline without meaning, an HTTP endpoint, and a small model in this process. */

export interface EmbedContext {
  readonly signal: AbortSignal
  /** Told after each batch: texts done, of all. */
  progress?(done: number, total: number): void
}

export interface Embedder {
  /** Names provider, model and dimensions. Vectors of two labels are never compared. */
  readonly label: string
  /** Numbers in each vector. */
  readonly dimensions: number
  /** Whether likeness of vectors stands for likeness of meaning, rather than of words. */
  readonly semantic: boolean
  /**
   * One vector of length 1 for each text, in order.
   * @throws Refusal `data.limit` for more texts than one call may have; `embedding.failed` when the provider does not
   * answer with as many vectors of the right size; `egress.*`; or the refusal that the signal carries.
   */
  embed(texts: readonly string[], context: EmbedContext): Promise<readonly (readonly number[])[]>
  close(): Promise<void>
}
