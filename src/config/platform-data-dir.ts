/** Where the platform keeps a user's data: XDG Base Directory on Linux, the usual folders elsewhere. */

export interface Platform {
  readonly name: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The folder used when `DATA_DIR` is unset. Relative XDG paths are ignored, as the specification asks. */
export function platformDataDir({ name, home, env }: Platform): string {
  if (name === 'win32') return `${env['LOCALAPPDATA'] ?? `${home}\\AppData\\Local`}\\arrowhead`
  if (name === 'darwin') return `${home}/Library/Application Support/arrowhead`
  const xdg = env['XDG_DATA_HOME']
  return `${xdg?.startsWith('/') ? xdg : `${home}/.local/share`}/arrowhead`
}

/** The config file that is read where none was named. */
export function platformConfigFile({ name, home, env }: Platform): string {
  if (name === 'win32') return `${env['APPDATA'] ?? `${home}\\AppData\\Roaming`}\\arrowhead\\config.json`
  if (name === 'darwin') return `${home}/Library/Application Support/arrowhead/config.json`
  const xdg = env['XDG_CONFIG_HOME']
  return `${xdg?.startsWith('/') ? xdg : `${home}/.config`}/arrowhead/config.json`
}
