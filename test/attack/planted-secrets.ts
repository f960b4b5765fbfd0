/** Secrets of thirty shapes, put together when they are needed so that no scanner trips on this file. */

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'

/** Characters that look drawn by chance, the same for every run. */
function drawn(seed: number, length: number, from = UPPER + LOWER + DIGITS): string {
  let state = seed * 7_919 + 12_345
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return from.charAt(Math.floor((state / 2 ** 32) * from.length))
  }).join('')
}

const hex = (seed: number, length: number): string => drawn(seed, length, 'abcdef0123456789')
const url64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const pem = (kind: string, seed: number): string => `-----BEGIN ${kind}PRIVATE KEY-----\n${drawn(seed, 64)}\n${drawn(seed + 1, 64)}\n${drawn(seed + 2, 40)}=\n-----END ${kind}PRIVATE KEY-----`

/** What a line holds, by the part of it that must never be seen. */
export interface Planted {
  readonly shape: string
  readonly text: string
  /** Parts of which none may be seen. */
  readonly parts: readonly string[]
}

const whole = (shape: string, secret: string): Planted => ({ shape, text: `"${secret}"`, parts: [secret.slice(-16)] })
const within = (shape: string, before: string, secret: string, after = ''): Planted => ({ shape, text: `"${before}${secret}${after}"`, parts: [secret] })

export const PLANTED: readonly Planted[] = [
  ...['ghp', 'gho', 'ghs', 'ghu', 'ghr'].map((prefix, at) => whole(`github ${prefix}`, `${prefix}_${drawn(at, 36)}`)),
  whole('github fine-grained', `github_pat_${drawn(10, 22)}_${drawn(11, 59)}`),
  whole('gitlab', `glpat-${drawn(12, 20)}`),
  whole('aws key id', `AKIA${drawn(13, 16, `${UPPER}234567`)}`),
  whole('slack bot', `xoxb-${drawn(14, 12, DIGITS)}-${drawn(15, 13, DIGITS)}-${drawn(16, 24)}`),
  whole('slack user', `xoxp-${drawn(17, 12, DIGITS)}-${drawn(18, 12, DIGITS)}-${drawn(19, 13, DIGITS)}-${hex(20, 32)}`),
  whole('stripe', `sk_live_${drawn(21, 24)}`),
  whole('google api', `AIza${drawn(22, 35)}`),
  whole('npm', `npm_${drawn(23, 36)}`),
  whole('pypi', `pypi-AgEIcHlwaS5vcmc${drawn(24, 70)}`),
  whole('sendgrid', `SG.${drawn(25, 22)}.${drawn(26, 43)}`),
  whole('anthropic', `sk-ant-api03-${drawn(27, 93)}AA`),
  whole('openai', `sk-proj-${drawn(28, 48)}T3BlbkFJ${drawn(29, 48)}`),
  whole('hugging face', `hf_${drawn(30, 34, UPPER + LOWER)}`),
  whole('digitalocean', `dop_v1_${hex(31, 64)}`),
  whole('shopify', `shpat_${hex(32, 32)}`),
  whole('jwt', `${url64({ alg: 'HS256', typ: 'JWT' })}.${url64({ sub: drawn(33, 12), iat: 1_700_000_000 })}.${drawn(34, 43)}`),
  within('postgres url', 'postgres://app:', drawn(35, 20), '@db.internal:5432/app'),
  within('url with a password', 'https://bot:', drawn(36, 20), '@git.internal/r.git'),
  within('bearer', 'Authorization: Bearer ', drawn(37, 40)),
  { shape: 'rsa key', text: `\`${pem('RSA ', 40)}\``, parts: [drawn(40, 64), drawn(41, 64), drawn(42, 40)] },
  { shape: 'ec key', text: `\`${pem('EC ', 43)}\``, parts: [drawn(43, 64), drawn(44, 64), drawn(45, 40)] },
  { shape: 'openssh key', text: `\`${pem('OPENSSH ', 46)}\``, parts: [drawn(46, 64), drawn(47, 64), drawn(48, 40)] },
  { shape: 'pkcs8 key', text: `\`${pem('', 49)}\``, parts: [drawn(49, 64), drawn(50, 64), drawn(51, 40)] },
  within('azure storage', 'DefaultEndpointsProtocol=https;AccountName=app;AccountKey=', `${drawn(52, 86)}==`, ';EndpointSuffix=core.windows.net'),
  within('password in an assignment', 'password=', drawn(53, 18)),
]

/** Files that hold credentials by their name: what is in them is seen by nobody, whatever it looks like. */
export const CREDENTIAL_NAMES = [
  '.env', '.env.local', 'api/.env.production', '.envrc', '.npmrc', '.netrc', '.pgpass', '.git-credentials', 'id_rsa', 'keys/id_ed25519', 'server.pem', 'tls/server.key', 'store.p12', 'store.jks', '.ssh/config.md',
  '.aws/notes.md', '.kube/config', '.gnupg/x.md', '.gcloud/x.json', '.azure/x.json', 'credentials.json', 'service-account.json', 'secrets.yml', 'terraform.tfstate', '.docker/config.json', '.arrowhead/config.md',
  'deep/.arrowhead/agents/a.md', '.ARROWHEAD/b.md', 'data/own.md', 'denied/plain.ts',
]
