import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CREDENTIAL_FILES, foldName, holdsCredentials } from './credential-paths.ts'

const holds = (path: string): boolean => holdsCredentials(path.split('/'))

const SECRET = [
  '.env', '.env.local', '.env.production', '.env-prod', '.envrc', 'api/.env', '.config/.env', '.ENV', '.Env.Local',
  '.env~', '.env.bak', '#.env#', '.env.swp', 'server.pem', 'a/.hidden/tls.key', 'TLS.KEY', 'server.key.bak', 'x.key.1',
  'store.p12', 'store.pfx', 'store.jks', 'app.keystore', 'auth.p8', 'key.ppk', 'id_rsa', 'keys/id_dsa', 'id_ecdsa',
  'home/ID_ED25519', 'id_rsa.old', '.id_rsa.swp', 'deploy_rsa', 'github_ed25519', '.ssh', '.ssh/config',
  '.ssh/id_rsa.pub', 'home/.SSH/known_hosts', '.gnupg/a/b', '.aws/credentials', '.aws/config', 'home/.aws/sso/x.json',
  '.azure/x', '.config/gcloud/credentials.db', '.kube/config', '.kube/cache/x', 'kubeconfig', '.docker/config.json',
  'home/.docker/config.json', '.netrc', '_netrc', '.npmrc', '.pypirc', '.git-credentials', '.git/config', '.pgpass',
  '.htpasswd', 'etc/shadow', 'credentials', 'credentials.json', 'service-account.json', 'service-account-prod.json',
  'my-service-account.json', 'serviceAccountKey.json', 'client_secret_123.json', 'vault.kdbx', '.vault-token',
  'terraform.tfstate', 'terraform.tfstate.backup', 'prod.tfvars', '.terraformrc', 'secrets.yml', 'secrets.yaml',
  'config/master.key', 'signing.gpg', 'wp-config.php', 'appsettings.Production.json', '.bash_history',
  '.env.example.bak', '.env.example.local',
]

/** Each kind of file that tools write their own secrets to, with names beside it that only look alike. */
const TOOLS: readonly (readonly [kind: string, secret: readonly string[], plain: readonly string[]])[] = [
  ['bundles that are folders', ['a.opvault/default/profile.js', 'My.OPVault/x', 'b.agilekeychain/data/1.json'], ['opvault/readme.md', 'src/agilekeychain.ts', 'a.opvault.md', 'docs/a.opvault.md/x']],
  ['keys of tools', ['.config/sops/age/keys.txt', '.age/key.txt', 'etc/wireguard/home.conf', 'wg0.conf', 'WG12.conf', 'ssh_host_rsa_key', 'etc/ssh/host_ed25519_key'], ['sops/age/readme.md', 'age/key.txt', 'keys.txt', 'wireguard/readme.md', 'wg.conf', 'wgx.conf', 'wg0.conf.md', 'ssh_host_rsa_key.pub', 'etc/ssh/host_rsa_key.pub', 'ssh/host_keys.md']],
  ['tokens of hubs and agents', ['.huggingface/token', '.cache/huggingface/token', 'kaggle.json', '.codex/auth.json', '.gemini/oauth_creds.json'], ['huggingface/tokenizer.json', 'token', 'src/kaggle.ts', '.codex/config.toml', '.gemini/settings.json', 'auth.json']],
  ['accounts of platforms', ['.config/doctl/config.yaml', '.config/ngrok/ngrok.yml', '.ngrok2/ngrok.yml', '.fly/config.yml', '.netlify/config.json', '.vercel/auth.json', '.aliyun/config.json', '.passwd-s3fs', 'rootkey.csv'], ['doctl/config.yaml', 'ngrok.yml', 'fly.toml', '.netlify/state.json', '.vercel/project.json', 'aliyun/config.json', 'keys.csv']],
  ['registries and clusters', ['.dockerconfigjson', '.nuget/NuGet/NuGet.Config', '.composer/auth.json', '.config/composer/auth.json', 'etc/rancher/k3s/k3s.yaml'], ['dockerconfig.json', 'composer.json', 'composer/autoload.json', 'k3s.md', 'k3s-deploy.yaml']],
  ['keys and accounts named for where they are used', ['id_rsa_work', 'keys/id_ed25519-github', 'id_rsa_deploy.bak', 'gcp-credentials.json', 'firebase_credentials.json', '.envrc.local', 'kubeconfig.yaml', 'etc/kubernetes/admin.conf'], ['test/id_rsa_test.go', 'id_rsa_work.pub', 'id_ed25519-github.md', 'gcp-credentials.md', 'gcp-credentials.example.json', 'credentials-form.json', '.envrc.example', 'kubeconfig.go', 'docs/kubernetes/admin.md']],
  ['keys of wallets, tunnels and rings', ['platform.pk8', 'etc/ipsec.secrets', 'ppp/chap-secrets', '.config/solana/id.json', '.ethereum/keystore/UTC--1', '.local/share/keyrings/login.keyring', '.google_authenticator', '.htdigest', '.config/github-copilot/apps.json', '.supabase/access-token', '.davfs2/secrets'], ['ipsec.conf', 'solana/id.json', 'ethereum/keystore/readme.md', 'src/keyrings/login.ts', 'google_authenticator.py', 'github-copilot/apps.json', 'supabase/access-token.ts']],
  ['logins', ['.authinfo', '.pg_service.conf', 'profile/logins.json', '.vscode/sftp.json', 'htpasswd', 'etc/passwd-', 'etc/shadow-'], ['authinfo.md', 'pg_service.md', 'logins.ts', '.vscode/settings.json', 'sftp.json', 'src/htpasswd.c', 'etc/passwd', 'passwd-']],
  ['secrets of apps', ['prod.env', 'deploy/production.env', 'staging.env', 'secrets.env', '.flaskenv', 'secrets.properties', 'vault_password.txt', '.vault_pass_prod', '.vault_password', 'google-credentials.json', 'config/credentials.yml.enc', 'config/credentials/production.yml.enc'], ['my.env', 'environment', 'flaskenv.md', 'messages.properties', 'vault.md', 'vault_password.md', 'google.json', 'credentials.yml.md', 'fixtures/archive.yml.enc']],
  ['names that as often hold none', [], ['web.config', 'NuGet.Config', '.yarnrc.yml', 'gradle.properties', 'config/database.yml', 'token.json', 'local_settings.py']],
  ['forms without values', ['credentials.json', 'credentials.prod.json', 'credentials.example.json.bak', 'site.example.key', 'server.sample.pem', 'client_secret_examples.json', '.ssh/config.example', 'prod-dist.tfvars'], ['credentials.example.json', 'Credentials.Sample.JSON', 'client_secret.example.json', 'service-account.example.json', 'service-account-template.json', 'credentials.schema.json', 'prod.example.tfvars', '.vault_pass.example', '.dev.vars.example']],
  ['code about environment files', ['.env.ts', '.env.local.js', '.env-prod.js', '.env-production.ts', '.env-loader', '.env_local.py', '.env.d', '.env-prd.js', '.env_qa.py', '.env_keys.py', '.env-settings.ts'], ['src/.env-loader.ts', '.env_parser.py', '.env.d.ts', 'src/.env.d.mts']],
  ['certificates and public halves', ['server.pem', 'ca.pem', 'ca-key.pem', 'private.pem', 'private-and-public.pem', 'server-key-ca-cert.pem', 'cert+key_ca-bundle.pem', 'combined-ca-bundle.pem', 'nonpublic.pem', 'local-issuer.pem', 'public.key', 'republic.pem'], ['cacert.pem', 'etc/ssl/ca-bundle.pem', 'ca_certs.pem', 'public.pem', 'issuer-public.pem', 'public_key.pem', 'jwt.pubkey.pem']],
]

const PLAIN = [
  '.env.example', '.env.sample', '.env.template', '.env.dist', '.env.local.example', 'deploy/.env.sample',
  '.env/bin/activate', 'environment.md', 'src/env.ts', 'my.env', 'dotenv.md', '.envoy.yaml', 'keyboard.txt',
  'monkey.key.md', 'docs/a.key.md', 'docs/pem-format.md', 'src/pem_parser.py', 'src/key.rs', 'keys/readme.md',
  'id_rsa.pub', 'id_ed25519.pub', 'test/id_rsa_test.go', 'docs/ssh/config', 'ssh/config', '.sshconfig.md',
  'docker/config.json', 'config.json', 'docker/config.md', 'kube/config', 'src/kubeconfig_loader.go', 'src/netrc.c',
  'gitlog.txt', '.gitignore', '.git/HEAD', '.github/workflows/ci.yml', 'etc/passwd', 'src/shadow.ts', 'shadow/a.md',
  'src/credentials.ts', 'docs/credentials-guide.md', 'credentials/readme.md', 'src/credential_form.tsx',
  'src/secrets.ts', 'docs/secrets.md', 'secrets/readme.md', 'docs/terraform.tfstate.md', 'src/vault.rb',
  'wp-config-sample.php', 'appsettings.json', 'package.json', 'history.md', 'locales/en/auth.json', 'token.py',
  'service-account.md', '.config/app.toml', 'readme', 'C:/notes.txt', 'a.pem.txt', 'rsa', 'notes.md~', '.',
]

describe('holdsCredentials', () => {
  it.each(SECRET)('is true for %s', (path) => {
    expect(holds(path)).toBe(true)
  })

  it.each(PLAIN)('is false for %s', (path) => {
    expect(holds(path)).toBe(false)
  })

  it.each(TOOLS)('knows %s', (_, secret, plain) => {
    expect(secret.filter((path) => !holds(path))).toEqual([])
    expect(plain.filter(holds)).toEqual([])
  })

  it('folds what a file system or a reader may take for the same name', () => {
    for (const name of ['.e\u200bnv', '\uff0eenv', '.env.', '.env ', '.env::$DATA', 'id_r\u017fa', '.\u212aube']) {
      expect([name, holdsCredentials([name])]).toEqual([name, true])
    }
  })

  it('ignores that a folder was asked for', () => {
    expect(holdsCredentials(['.ssh', '.'])).toBe(true)
    expect(holdsCredentials(['.env', '.'])).toBe(true)
    expect(holdsCredentials([])).toBe(false)
  })

  it('holds at any depth and in any case', () => {
    const above = fc.array(fc.constantFrom('a', '.config', 'src', '.hidden'), { maxLength: 4 })
    fc.assert(fc.property(above, fc.constantFrom(...SECRET), fc.boolean(), (folders, path, upper) => {
      const names = [...folders, ...path.split('/')]
      expect(holdsCredentials(upper ? names.map((name) => name.toUpperCase()) : names)).toBe(true)
    }))
  })

  it('matches an example of every row of its table, and each row says why', () => {
    for (const { names, why } of CREDENTIAL_FILES) {
      expect(why).toMatch(/\w{2}/)
      for (const name of names) expect([name, holds(name.replaceAll(/[*@]/g, 'x').replaceAll('#', '0'))]).toEqual([name, true])
    }
  })

  it('folds a plain name as it folds the same name with a letter that cannot be seen', () => {
    const name = fc.oneof(fc.string({ unit: fc.constantFrom(...'aZ9._-~: +#@()\t\\'), maxLength: 12 }), fc.string({ maxLength: 12 }))
    fc.assert(fc.property(name, (one) => {
      expect(foldName(one)).toBe(foldName(`\u200b${one}`))
    }), { numRuns: 2_000 })
  })

  it('answers at once for the longest names', () => {
    const name = `${'-service-account'.repeat(15)}`
    expect(holdsCredentials(Array.from({ length: 16 }, () => name))).toBe(false)
  })

  const fixture = new URL('../../../shared/cases/code-search.fixture.json', import.meta.url)
  it.skipIf(!existsSync(fixture))('agrees with the shared lists (skipped when they are not there)', () => {
    const lists: Record<'credentialFiles' | 'plainFiles', string[]> = JSON.parse(readFileSync(fixture, 'utf8'))
    expect(lists.credentialFiles.length).toBeGreaterThan(30)
    expect(lists.credentialFiles.filter((path) => !holds(path))).toEqual([])
    expect(lists.plainFiles.filter(holds)).toEqual([])
  })
})
