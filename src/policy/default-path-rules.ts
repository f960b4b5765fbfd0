/** What no configuration has to say: places that are never shown, and places that are never changed. */

/** Names that are refused wherever they stand in a path. */
export const DENIED_NAMES: readonly string[] = ['.ssh', '.gnupg', '.aws', '.password-store']

/** Beside the table of credential files, which holds as well. */
export const DENIED: readonly string[] = [
  '**/.ssh/**', '**/.gnupg/**', '**/.aws/**', '**/.password-store/**', '**/.azure/**', '**/.kube/**', '**/.config/gcloud/**',
  '**/.env', '**/.env.*', '**/*_rsa', '**/*_ed25519', '**/*_ecdsa', '**/id_rsa*', '**/shadow', '**/gshadow', '**/.git-credentials', '**/.netrc',
  '**/.docker/config.json', '**/.mozilla/**', '**/.config/google-chrome/**', '**/.config/chromium/**', '**/.local/share/keyrings/**',
]

/** Patterns of values that carry none. */
export const EXCEPTED: readonly string[] = ['**/.env.example', '**/.env.sample', '**/.env.template', '**/.env.dist']

/**
 * What something else runs or obeys without asking: shells and their start-up files, schedulers, editors and agents
 * that read a project, the inside of a repository.
 */
export const WRITE_PROTECTED: readonly string[] = [
  '**/.git/**', '**/.hg/**', '**/.svn/**', '**/.gitconfig', '**/.gitmodules', '**/.gitattributes', '**/.config/git/**', '**/.husky/**', '**/.githooks/**',
  '**/.bashrc', '**/.bash_profile', '**/.bash_login', '**/.bash_logout', '**/.bash_aliases', '**/.profile', '**/.inputrc',
  '**/.zshrc', '**/.zshenv', '**/.zprofile', '**/.zlogin', '**/.zlogout', '**/.kshrc', '**/.cshrc', '**/.tcshrc', '**/.login', '**/.config/fish/**', '**/.config/environment.d/**',
  '**/.xprofile', '**/.xinitrc', '**/.xsession', '**/.xsessionrc', '**/.pam_environment', '**/.config/autostart/**', '**/.config/systemd/**', '**/.local/share/systemd/**',
  '**/.vimrc', '**/.viminfo', '**/.config/nvim/**', '**/.emacs', '**/.emacs.d/**', '**/.tmux.conf', '**/.screenrc', '**/.wgetrc', '**/.curlrc', '**/.gdbinit', '**/.pythonrc', '**/.pythonstartup', '**/.ripgreprc',
  '**/.npmrc', '**/.yarnrc', '**/.yarnrc.yml', '**/.pypirc', '**/.config/pip/**', '**/.cargo/config.toml', '**/.cargo/config', '**/.envrc',
  '**/.vscode/**', '**/.idea/**', '**/.mcp.json', '**/.claude/**', '**/.claude.json', '**/.cursor/**', '**/.codex/**', '**/.gemini/**', '**/.local/bin/**', '**/bin/.local/**',
  '**/LaunchAgents/**', '**/crontab', '**/.crontab', '**/cron.d/**', '**/cron.daily/**',
  '**/.config/arrowhead/**', '**/.local/share/arrowhead/**', '**/Application Support/arrowhead/**',
]
