/** The checks behind `doctor`. Each looks at one thing that a start would trip over. */

import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { ConfigError } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import { auditReader, trailFile } from './audit-reader.ts'
import { createApp } from './create-app.ts'
import { diagnoseBucket, diagnosePublicName } from './diagnose-reach.ts'
import { diagnoseRunner } from './diagnose-runner.ts'
import { diagnoseHostNames, diagnoseRedis, diagnoseState } from './diagnose-shared.ts'
import type { Finding } from './finding.ts'
import { openIdentity } from './identity.ts'
import { loweredLines } from './lowered-levels.ts'
import { missingRoots } from './missing-roots.ts'

export type { Finding } from './finding.ts'

type Check = (settings: Settings, dataDir: string, cwd: string) => Finding | Promise<Finding>

const ok = (what: string): Finding => ({ state: 'ok', what })
const warn = (what: string, next: string): Finding => ({ state: 'warn', what, next })
const fail = (what: string, next: string): Finding => ({ state: 'fail', what, next })

export const diagnose = async (settings: Settings, dataDir: string, cwd: string): Promise<readonly Finding[]> =>
  Promise.all([nodeVersion, descriptors, dataFolder, trail, roots, policies, lowered, identity, port, diagnoseRunner, diagnoseRedis, diagnoseState, diagnoseBucket, diagnoseHostNames, diagnosePublicName].map((check) => check(settings, dataDir, cwd)))

const nodeVersion: Check = () => {
  const major = Number(process.versions.node.split('.')[0])
  return major >= 20 ? ok(`Node.js ${process.versions.node}`) : fail(`Node.js ${process.versions.node}`, 'install Node.js 20 or newer')
}

const descriptors: Check = () =>
  existsSync('/proc/self/fd')
    ? ok('files are opened through /proc/self/fd: no race between check and use')
    : warn('there is no /proc/self/fd: files are checked again after they are opened', 'on Linux, mount /proc; elsewhere nothing is to be done')

const dataFolder: Check = (_settings, dataDir) => {
  const existing = nearestExisting(dataDir)
  try {
    accessSync(existing, constants.W_OK)
  } catch {
    return fail('the data directory cannot be written', 'set ARROWHEAD_DATA_DIR to a folder of your own')
  }
  const open = existing === dataDir && (statSync(dataDir).mode & 0o077) !== 0
  return open ? warn('the data directory is readable by others', `chmod 700 ${dataDir}`) : ok(`data directory ${dataDir}`)
}

const nearestExisting = (folder: string): string => (existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder)))

const trail: Check = (settings, dataDir) => {
  if (!existsSync(trailFile(settings, dataDir))) return ok('the audit trail is empty')
  const verdict = auditReader(settings, dataDir).verify([])
  return verdict.ok
    ? ok(`the audit trail is whole: ${verdict.rows} rows`)
    : fail(`the audit trail is not whole: ${verdict.problem} at row ${verdict.seq}`, 'keep the file for whoever investigates, and set ARROWHEAD_AUDIT_FILE to a new one')
}

const roots: Check = (settings, _dataDir, cwd) => {
  const missing = missingRoots(settings, cwd)
  return missing.length === 0
    ? ok('the folders that tools serve are there')
    : warn(missing.map(({ what }) => what).join('; '), [...new Set(missing.map(({ next }) => next))].join('; '))
}

/** Builds the app without a trail: every policy in the settings is read as at start. */
const policies: Check = (settings) => {
  // What runs code has a check of its own.
  createApp({ ...settings, execEnabled: false }, { replace: { trail: null } })
  return ok('grants, levels and kill switch can be applied')
}

const lowered: Check = (settings) => {
  const lines = loweredLines(settings)
  return lines.length === 0 ? ok('no tool has a lower level than its own') : warn(lines.join('; '), 'take it out of the configuration where it is not meant')
}

/** Reads keys and the list of revoked tokens as at start. */
const identity: Check = async (settings) => {
  if (!settings.authEnabled) return ok('authentication is off')
  try {
    const opened = await openIdentity(settings)
    opened?.close()
  } catch (error) {
    return fail('callers cannot be identified', error instanceof ConfigError ? error.problems.join('; ') : 'see docs/guides/auth.md')
  }
  const { oauthAudience, serverPublicUrl } = settings
  return oauthAudience === serverPublicUrl
    ? ok('callers are identified by their tokens')
    : warn('the audience is not the public URL', 'clients ask for tokens for the public URL; see docs/guides/auth.md')
}

const port: Check = ({ host, port: wanted }) =>
  new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(warn(`port ${wanted} is taken`, 'stop what listens there, or set ARROWHEAD_PORT (HTTP only)')))
    probe.listen(wanted, host, () => probe.close(() => done(ok(`port ${wanted} is free`))))
  })
