/** The content boundary as tools see it: bytes from outside become text, or are refused. */

export type ContentFormat = 'json' | 'markdown' | 'text'

export interface ContentPort {
  /** @throws Refusal `content.encoding` for what is not UTF-8, `content.too-large`. */
  decode(bytes: Uint8Array): string
  /**
   * The text as it will be shown: rebuilt for its format. Idempotent.
   * @throws Refusal `content.json`, `content.markdown`, `content.too-deep` or `content.too-large`.
   */
  clean(text: string, format: ContentFormat): Promise<string>
  /** SHA-256 (FIPS 180-4) in lower-case hex. */
  sha256(bytes: Uint8Array): string
}
