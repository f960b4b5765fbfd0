/** Links that a client turns into an entry when they are opened. */

type Entry = Readonly<Record<string, unknown>>

/** Cursor: the entry as base64 of JSON. */
export const cursorLink = (name: string, entry: Entry): string =>
  `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString('base64'))}`

/** VS Code: the entry and its name as one JSON object. */
export const vscodeLink = (name: string, entry: Entry): string => `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...entry }))}`
