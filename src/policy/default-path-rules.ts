/** What no configuration has to say: places that are never shown, and places that are never changed. */

/** Names that are refused wherever they stand in a path. */
export const DENIED_NAMES: readonly string[] = ['.ssh', '.gnupg', '.aws', '.password-store']

/** Beside the table of credential files, which holds as well. */
export const DENIED: readonly string[] = [
  '**/.ssh/**', '**/.gnupg/**', '**/.aws/**', '**/.password-store/**', '**/.azure/**', '**/.kube/**', '**/.config/gcloud/**',
  '**/.env', '**/.env.*', '**/*_rsa', '**/*_ed25519', '**/*_ecdsa', '**/id_rsa*', '**/shadow', '**/gshadow', '**/.git-credentials', '**/.netrc',
  '**/.docker/config.json', '**/.mozilla/**', '**/.config/google-chrome/**', '**/.config/chromium/**', '**/.local/share/keyrings/**',
]

/** What a program that walks folders must be told to pass over: of patterns, those that hold at any depth. */
export const passedOver = (names: readonly string[], patterns: readonly string[]): readonly string[] =>
  [...new Set([...names, ...patterns.flatMap((pattern) => /^\*\*\/(.+?)(?:\/(?:\*\*)?)?$/.exec(pattern)?.[1] ?? [])])].filter((name) => !name.includes('**/'))

/** Patterns of values that carry none. */
export const EXCEPTED: readonly string[] = ['**/.env.example', '**/.env.sample', '**/.env.template', '**/.env.dist']

/**
 * What something else runs or obeys without asking: shells and their start-up files, schedulers, editors and agents
 * that read a project, the inside of a repository.
 */
export const WRITE_PROTECTED: readonly string[] = [
  '**/.git/**', '**/.hg/**', '**/.svn/**', '**/.hgrc', '**/.subversion/**', '**/.pre-commit-config.yaml', '**/.gitconfig', '**/.gitmodules', '**/.gitattributes', '**/.config/git/**', '**/.husky/**', '**/.githooks/**',
  '**/.bashrc', '**/.bash_profile', '**/.bash_login', '**/.bash_logout', '**/.bash_aliases', '**/.profile', '**/.inputrc',
  '**/.zshrc', '**/.zshenv', '**/.zprofile', '**/.zlogin', '**/.zlogout', '**/.config/zsh/**', '**/.oh-my-zsh/**', '**/.bash_completion', '**/.config/nushell/**', '**/.config/powershell/**', '**/.kshrc', '**/.cshrc', '**/.tcshrc', '**/.login', '**/.config/fish/**', '**/.config/environment.d/**',
  '**/.xprofile', '**/.xinitrc', '**/.xsession', '**/.xsessionrc', '**/.xserverrc', '**/.config/i3/**', '**/.config/sway/**', '**/.config/hypr/**', '**/.local/share/applications/**', '**/.local/share/dbus-1/**', '**/.pam_environment', '**/.config/autostart/**', '**/.config/systemd/**', '**/.local/share/systemd/**',
  '**/.vimrc', '**/.gvimrc', '**/.exrc', '**/.nvimrc', '**/.vim/**', '**/.config/vim/**', '**/.ideavimrc', '**/.viminfo', '**/.config/nvim/**', '**/.emacs', '**/.emacs.d/**', '**/.tmux.conf', '**/.config/tmux/**', '**/.wezterm.lua', '**/.config/wezterm/**', '**/.config/kitty/**', '**/.screenrc', '**/.wgetrc', '**/.curlrc', '**/.gdbinit', '**/.config/gdb/**', '**/.lldbinit', '**/.pdbrc', '**/.irbrc', '**/.pryrc', '**/.rprofile', '**/.ghci', '**/.ipython/**', '**/.jupyter/**', '**/.sqliterc', '**/.psqlrc', '**/.jq', '**/.magic', '**/.mailcap', '**/.forward', '**/.procmailrc', '**/.pythonrc', '**/.pythonstartup', '**/.ripgreprc',
  '**/.npmrc', '**/.yarnrc', '**/.yarnrc.yml', '**/.pypirc', '**/.config/pip/**', '**/.cargo/config.toml', '**/.cargo/config', '**/.pip/**', '**/.gemrc', '**/.bundle/config', '**/.condarc', '**/.gradle/**', '**/.m2/**', '**/.pnpmfile.cjs', '**/.yarn/**', '**/.config/mise/**', '**/.mise.toml', '**/.envrc',
  '**/.vscode/**', '**/.idea/**', '**/.config/code/**', '**/.zed/**', '**/.config/zed/**', '**/.windsurf/**', '**/.continue/**', '**/.aider.conf.yml', '**/.kiro/**', '**/.roo/**', '**/.opencode/**', '**/.mcp.json', '**/.claude/**', '**/.claude.json', '**/.cursor/**', '**/.codex/**', '**/.gemini/**', '**/.local/bin/**', '**/bin/.local/**',
  '**/LaunchAgents/**', '**/crontab', '**/.crontab', '**/cron.d/**', '**/cron.daily/**',
  '**/.config/arrowhead/**', '**/.local/share/arrowhead/**', '**/Application Support/arrowhead/**',
]
