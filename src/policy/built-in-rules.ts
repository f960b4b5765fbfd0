/** What the built-in rules refuse and allow, by examples, in the form in which a configuration writes its own. */

export interface RuleExamples {
  readonly kind: 'read' | 'write' | 'command'
  /** Refused. */
  readonly match: readonly string[]
  /** Allowed. */
  readonly not_match: readonly string[]
}

export const BUILT_IN_RULES: readonly RuleExamples[] = [
  {
    kind: 'read',
    match: ['~/.ssh/config', '~/work/.SSH/id_ed25519', '~/.gnupg/pubring.kbx', '~/.aws/credentials', '~/.password-store/bank.gpg', '~/.kube/config', '~/.config/gcloud/access_tokens.db', '~/.docker/config.json', '~/.git-credentials', '~/.netrc', '~/keys/deploy_rsa', '~/app/.env', '~/app/.env.local', '~/app/.ENV'],
    not_match: ['~/notes.txt', '~/app/.env.example', '~/app/.docker/readme.md', '~/ssh/notes.md', '~/aws/credentials-how-to.md'],
  },
  {
    kind: 'write',
    match: ['~/.bashrc', '~/.zshenv', '~/.profile', '~/.config/fish/config.fish', '~/.config/autostart/x.desktop', '~/.config/systemd/user/x.service', '~/.vimrc', '~/.npmrc', '~/app/.git/config', '~/app/.git/hooks/pre-commit', '~/app/.husky/pre-push', '~/app/.vscode/tasks.json', '~/app/.mcp.json', '~/app/.claude/settings.json', '~/.local/bin/ls', '~/.config/arrowhead/config.json', '~/.ssh/authorized_keys'],
    not_match: ['~/notes.txt', '~/app/src/index.js', '~/app/.gitignore', '~/.config/app/settings.json'],
  },
  {
    kind: 'read',
    match: ['/etc/shadow', '/etc/passwd', '/proc/self/environ', '~/../other/notes.txt', '~other/notes.txt'],
    not_match: ['~/a/../notes.txt', '~'],
  },
  {
    kind: 'command',
    match: ['bash -c id', 'rm -rf x', '/usr/bin/df', 'df; id', 'date -s 12:00', 'date -f x', 'hostname evil', 'hostname -F x', 'ip link set lo down', 'systemctl restart ssh', 'ps e', 'ss -D x', 'du --files0-from=x', 'uname -a | sh'],
    not_match: ['df -h', 'date -u', 'free -m', 'hostname -I', 'id -un', 'ip addr show', 'lsblk', 'nproc', 'ps aux', 'ss -tln', 'systemctl status ssh', 'uname -a', 'uptime -p', 'whoami'],
  },
]
