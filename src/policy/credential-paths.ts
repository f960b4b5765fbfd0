/**
 * Which files hold credentials, judged by name alone: one closed table, matched at any depth, in any
 * case and any Unicode spelling, on backup copies too. Templates and look-alikes stay readable, and so do names that
 * as often hold none: web.config, nuget.config, .yarnrc.yml, database.yml, token.json, local_settings.py.
 */

import { FOLDER_MARK } from './relative-path.ts'

interface Row {
  /** Names at the end of the path; `*` is any run of characters in one name, `@` one without a dot, `#` a number; `dir/**` is all below a folder. */
  readonly names: readonly string[]
  readonly why: string
}

export const CREDENTIAL_FILES: readonly Row[] = [
  { names: ['.env', '.env.*', '.env-*', '.env_*', '.envrc', '.envrc.*'], why: 'environment files carry passwords and API keys' },
  { names: ['prod.env', 'production.env', 'staging.env', 'secret.env', 'secrets.env', '.flaskenv'], why: 'the same, named for where it is used' },
  { names: ['.dev.vars', '.dev.vars.*', 'local.settings.json'], why: 'secrets of a local cloud runtime' },
  { names: ['*.pem', '*.key', '*.p8', '*.pk8', '*.pkcs8', '*.pvk', '*.ppk'], why: 'private keys' },
  { names: ['*.p12', '*.pfx', '*.pkcs12', '*.jks', '*.jceks', '*.bks', '*.keystore'], why: 'key stores' },
  { names: ['*.gpg', '*.pgp', '*.keytab', '*.ovpn', 'secring.*'], why: 'key rings and keys inside configurations' },
  { names: ['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ecdsa_sk', 'id_ed25519', 'id_ed25519_sk'], why: 'SSH keys' },
  { names: ['*_rsa', '*_dsa', '*_ecdsa', '*_ed25519', 'ssh_host_*_key', 'ssh/host_*_key'], why: 'SSH keys under a name of their own' },
  { names: ['id_rsa_@', 'id_dsa_@', 'id_ecdsa_@', 'id_ed25519_@', 'id_rsa-@', 'id_dsa-@', 'id_ecdsa-@', 'id_ed25519-@'], why: 'the same, named for where they are used' },
  { names: ['.age/key.txt', 'sops/age/keys.txt', 'wireguard/*.conf', 'wg#.conf', 'ipsec.secrets', 'chap-secrets', 'pap-secrets'], why: 'keys of encryption tools and tunnels' },
  { names: ['.ssh/**', '.gnupg/**', '.password-store/**'], why: 'folders made to hold keys and passwords' },
  { names: ['.aws/**', '.azure/**', '.gcloud/**', '.config/gcloud/**', '.oci/**'], why: 'cloud accounts' },
  { names: ['.config/doctl/config.yaml', '.aliyun/config.json', '.fly/config.yml', '.netlify/config.json', '.vercel/auth.json', '.supabase/access-token'], why: 'cloud accounts' },
  { names: ['.config/ngrok/ngrok.yml', '.ngrok2/ngrok.yml'], why: 'tunnel accounts' },
  { names: ['.boto', '.s3cfg', '.passwd-s3fs', 'accesskeys.csv', 'rootkey.csv', 'rclone.conf', '.rclone.conf', '.davfs2/secrets'], why: 'storage accounts' },
  { names: ['.kube/**', 'kubeconfig', 'kubeconfig.y*ml', '*.kubeconfig', 'k3s.yaml', 'kubernetes/admin.conf'], why: 'cluster certificates and tokens' },
  { names: ['.docker/config.json', '.dockercfg', '.dockerconfigjson', 'containers/auth.json'], why: 'registry logins' },
  { names: ['.netrc', '_netrc', '.authinfo', '.ftpconfig', 'sftp-config.json', '.vscode/sftp.json'], why: 'logins for remote hosts' },
  { names: ['.npmrc', '.pypirc', '.cargo/credentials.toml', '.composer/auth.json', 'composer/auth.json', '.nuget/nuget/nuget.config'], why: 'package registry tokens' },
  { names: ['.huggingface/token', '.cache/huggingface/token', '.cache/huggingface/stored_tokens', 'kaggle.json'], why: 'tokens of model and data hubs' },
  { names: ['.codex/auth.json', '.gemini/oauth_creds.json'], why: 'logins of agents' },
  { names: ['.m2/settings.xml', '.m2/settings-security.xml', '.gradle/gradle.properties'], why: 'build logins' },
  { names: ['key.properties', 'keystore.properties'], why: 'passwords of signing keys' },
  { names: ['.git-credentials', '.git/config'], why: 'remotes, often with a password in the URL' },
  { names: ['.config/gh/hosts.yml', '.config/hub', '.config/glab-cli/config.yml', '.config/github-copilot/hosts.json', '.config/github-copilot/apps.json'], why: 'code host tokens' },
  { names: ['.pgpass', 'pgpass.conf', '.pg_service.conf', '.my.cnf', '.mylogin.cnf', '.mysql_secret'], why: 'database logins' },
  { names: ['.databrickscfg', '.snowsql/config'], why: 'data warehouse logins' },
  { names: ['.htpasswd', 'htpasswd', '.htdigest', 'shadow', 'gshadow', 'shadow-', 'gshadow-', 'etc/passwd-', 'master.passwd'], why: 'password hashes' },
  { names: ['credentials', '.credentials', '.credentials.json'], why: 'credential files of many command lines' },
  { names: ['credentials.json', 'credentials.*.json', '*-credentials.json', '*_credentials.json', 'credentials.y*ml', 'credentials.toml'], why: 'the same' },
  { names: ['credentials.ini', 'credentials.csv', 'credentials.xml', 'credentials.properties'], why: 'the same' },
  { names: ['client_secret*.json', 'application_default_credentials.json'], why: 'OAuth client secrets' },
  { names: ['service-account*.json', 'service_account*.json', 'serviceaccount*.json'], why: 'service account keys' },
  { names: ['*-service-account.json', '*firebase-adminsdk*.json'], why: 'service account keys' },
  { names: ['*.kdbx', '*.kdb', '*.psafe3', '*.opvault', '*.opvault/**', '*.agilekeychain', '*.agilekeychain/**'], why: 'password safes' },
  { names: ['*.keychain', '*.keychain-db', 'key3.db', 'key4.db', 'logins.json', 'login data', '.local/share/keyrings/**'], why: 'password stores of programs' },
  { names: ['cookies.sqlite', '.xauthority', '.erlang.cookie', '.google_authenticator'], why: 'session cookies and seeds of one-time codes' },
  { names: ['wallet.dat', '.config/solana/id.json', '.ethereum/keystore/**', '.electrum/wallets/**'], why: 'coin wallets' },
  { names: ['.vault-token', '.vault_pass*', '.vault-pass*', 'vault_pass.txt', 'vault_password.txt'], why: 'vaults' },
  { names: ['*.tfstate', '*.tfstate.backup', '*.tfstate.*.backup'], why: 'Terraform state, secrets in plain text' },
  { names: ['*.tfvars', '*.tfvars.json', '.terraformrc', 'terraform.rc'], why: 'Terraform inputs and tokens' },
  { names: ['secrets.y*ml', 'secrets.json', 'secrets.toml', 'secrets.ini', 'secrets.properties', '.secrets', '.secret'], why: 'app secrets' },
  { names: ['config/credentials.yml.enc', 'config/credentials/*.yml.enc', 'config/master.key'], why: 'app secrets of Rails, and the key to them' },
  { names: ['wp-config.php', 'appsettings.prod*.json', 'appsettings.staging.json'], why: 'database passwords' },
  { names: ['.smbcredentials', '.fetchmailrc', '.msmtprc', '.vnc/passwd'], why: 'passwords of clients' },
  { names: ['local-token', 'local-issuer.pem', 'state.key', 'state.sqlite*', 'audit.sqlite*'], why: 'this server’s own keys, tokens and records' },
  { names: ['.*_history'], why: 'typed commands, with the passwords typed among them' },
]

/** Names that the table takes with the others, and that say themselves that no secret is in them. */
const PUBLIC: readonly RegExp[] = [
  // Written to be published: the form without the values; `-dist` before an ending is a build. A key has no such form, and `.example` is also the end of a host.
  /[._-](?:example|sample|template|tmpl)(?:\.(?:json|ya?ml|toml|ini|xml|properties|tfvars))?$|\.dist$/,
  /[._-]schema\.(?:json|ya?ml)$/,
  // Code about such a file, by what it does; any other name may be that of the place where the values in it are used.
  /\.d\.[cm]?ts$/,
  /^\.env[_-](?:loader|parser|reader|schema|types|validation|validator)\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|cs)$/,
  // Certificates of authorities and public halves; a name that speaks of both halves is none.
  /^(?!.*(?:priv|secret|non|combined|(?<!public[._-]?)(?<!pub)key))(?:.*[._-])?(?:public|public[._-]?key|pubkey|ca[._-]?certs?|ca[._-]?bundle)\.pem$/,
]

const BACKUP = /(?:~|#|\.(?:bak|backup|old|orig|save|copy|tmp|swp|swo|\d{1,3}))+$/

const source = (pattern: string): string => pattern.replace(/[.\\+?^${}()|[\]-]/g, '\\$&').replace(/\*/g, '[^/]*').replace(/@/g, '[^/.]*').replace(/#/g, '[0-9]+')

const anyOf = (patterns: readonly string[]): string => `(?:${patterns.map(source).join('|')})`

const patterns = CREDENTIAL_FILES.flatMap((row) => row.names)
const folders = patterns.filter((pattern) => pattern.endsWith('/**')).map((pattern) => pattern.slice(0, -3))
const files = patterns.filter((pattern) => !pattern.endsWith('/**'))

/** Three expressions and not one, so that the wildcards are tried on one name and not at every slash. */
const FOLDER = new RegExp(`/${anyOf(folders)}/`)
const FILE = new RegExp(`^${anyOf(files.filter((pattern) => !pattern.includes('/')))}$`)
const FILE_IN_FOLDER = new RegExp(`/${anyOf(files.filter((pattern) => pattern.includes('/')))}$`)

const PLAIN = /^[\w./+@=,~#%^()[\]{}!$&' -]*[\w+@=,~#%^()[\]{}!$&'-]$/

/** Letters as a file system that knows neither case nor width may see them: both cases of one letter become one (Unicode, full case folding). */
export const foldLetters = (text: string): string => text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC')

/** One spelling for the many that a file system may take for one name: case, width, invisible characters. */
export const foldName = (name: string): string => {
  // Most names are written in these letters alone, and have no other spelling.
  if (PLAIN.test(name)) return name.toLowerCase()
  const plain = foldLetters(name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''))
  return plain.replace(/:.*$/s, '').replace(/[. ]+$/, '')
}

/** The name that an editor or a copy was made from: `#.env#`, `.env~`, `.id_rsa.swp`, `server.key.1`. */
const origins = (name: string): readonly string[] => {
  const bare = name.replace(/^\.?#/, '').replace(BACKUP, '')
  return bare === name ? [name] : [name, bare, bare.replace(/^\./, '')]
}

/**
 * Whether a path names a file that holds credentials, or a folder of them. Ask it about the path as it was
 * written and about the real one: a link has both.
 */
export const holdsCredentials = (components: readonly string[]): boolean => {
  const folded = components.filter((name) => name !== FOLDER_MARK).map(foldName)
  const last = folded.pop()
  if (last === undefined) return false
  const above = folded.map((name) => `/${name}`).join('')
  if (FOLDER.test(`${above}/${last}/`)) return true
  if (PUBLIC.some((name) => name.test(last))) return false
  return origins(last).some((name) => FILE.test(name) || FILE_IN_FOLDER.test(`${above}/${name}`))
}
