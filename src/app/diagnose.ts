/** The checks behind `doctor`. Each looks at one thing that a start would trip over. */

import { accessSync, constants, existsSync, lstatSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { ConfigError } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import { auditReader } from './audit-reader.ts'
import { createApp } from './create-app.ts'
import type { Origins } from './credential-source.ts'
import { diagnoseIdentity, diagnoseIssuer, diagnoseToken } from './diagnose-caller.ts'
import { diagnoseCollections, diagnoseSql } from './diagnose-data.ts'
import { diagnoseClock, diagnoseCorpus, diagnoseDisk, nearestExisting } from './diagnose-ground.ts'
import { diagnoseAssistantModel, diagnoseEmbedding } from './diagnose-model.ts'
import { diagnoseBucket, diagnosePublicName } from './diagnose-reach.ts'
import { diagnoseCommands, diagnoseRunner } from './diagnose-runner.ts'
import { diagnoseHostNames, diagnoseRedis, diagnoseState } from './diagnose-shared.ts'
import { fail, ok, said, warn } from './finding.ts'
import type { Finding } from './finding.ts'
import { loweredLines } from './lowered-levels.ts'
import { missingRoots } from './missing-roots.ts'

export interface Place {
  readonly dataDir: string
  readonly cwd: string
  /** What tells docker or podman where its engine is. */
  readonly engineEnv?: Readonly<Record<string, string>>
  /** An access token to judge. */
  readonly token?: string | undefined
  /** Where each setting came from: no credential goes to an endpoint that only the working folder names. */
  readonly origins?: Origins
  /** The settings of the assistant, where they are others. @throws ConfigError */
  readonly assistant?: () => Settings
}

export interface Checked extends Finding {
  /** Names the check, for programs. */
  readonly check: string
}

type Check = (settings: Settings, place: Place) => Finding | Promise<Finding>

/** Every check at once, for those that go out wait for somebody else; then the port, where they must meet nobody of ours. @throws ConfigError for a policy that cannot be applied. */
export async function diagnose(settings: Settings, place: Place): Promise<readonly Checked[]> {
  const findingOf = async (look: Check): Promise<Finding> => looked(look, settings, place)
  const others = await Promise.all(Object.entries(CHECKS).map(async ([check, look]) => ({ check, finding: look === port ? undefined : await findingOf(look) })))
  const last = await findingOf(port)
  return others.map(({ check, finding }) => ({ check, ...(finding ?? last) }))
}

/** A check that cannot be made is a finding too, and takes no other with it. */
async function looked(look: Check, settings: Settings, place: Place): Promise<Finding> {
  try {
    return await look(settings, place)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    return fail(`this could not be looked at: ${said(error)}`, 'see the other lines first; if none says why, report it with arrowhead --version')
  }
}

const nodeVersion: Check = () => {
  const major = Number(process.versions.node.split('.')[0])
  return major >= 20 ? ok(`Node.js ${process.versions.node}`) : fail(`Node.js ${process.versions.node}`, 'install Node.js 20 or newer')
}

const descriptors: Check = () =>
  existsSync('/proc/self/fd')
    ? ok('files are opened through /proc/self/fd: no race between check and use')
    : warn('there is no /proc/self/fd: files are checked again after they are opened', 'on Linux, mount /proc; elsewhere nothing is to be done')

const dataFolder: Check = (_settings, { dataDir }) => {
  const existing = nearestExisting(dataDir)
  const next = 'set ARROWHEAD_DATA_DIR to a folder of your own'
  if (!statSync(existing).isDirectory()) return fail(existing === dataDir ? 'the data directory is no folder' : `the data directory cannot be made: ${existing} is no folder`, next)
  // Such as one to a disk that is not there.
  if (existing !== dataDir && lstatSync(dataDir, { throwIfNoEntry: false }) !== undefined) return fail('the data directory is a link that leads nowhere', next)
  try {
    accessSync(existing, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return fail('the data directory cannot be written', next)
  }
  const open = existing === dataDir && (statSync(dataDir).mode & 0o077) !== 0
  return open ? warn('the data directory is readable by others', `chmod 700 ${dataDir}`) : ok(`data directory ${dataDir}`)
}

const trail: Check = (settings, { dataDir }) => {
  const verdict = auditReader(settings, dataDir).verify([])
  if (verdict.ok && verdict.rows === 0) return ok('the audit trail is empty')
  return verdict.ok
    ? ok(`the audit trail is whole: ${verdict.rows} rows`)
    : fail(`the audit trail is not whole: ${verdict.problem} at row ${verdict.seq}`, 'keep the file for whoever investigates, and set ARROWHEAD_AUDIT_FILE to a new one')
}

const roots: Check = (settings, { cwd }) => {
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

const port: Check = ({ host, port: wanted }) =>
  new Promise((done) => {
    // Whoever connects meanwhile would keep it open.
    const probe = createServer((socket) => socket.destroy())
    probe.once('error', () => done(warn(`port ${wanted} is taken`, 'stop what listens there, or set ARROWHEAD_PORT (HTTP only)')))
    probe.listen(wanted, host, () => probe.close(() => done(ok(`port ${wanted} is free`))))
  })

/** In the order in which they are printed. */
const CHECKS: Readonly<Record<string, Check>> = {
  node: nodeVersion,
  descriptors,
  data: dataFolder,
  disk: diagnoseDisk,
  trail,
  roots,
  documents: (settings, { cwd }) => diagnoseCorpus(settings, cwd),
  bucket: (settings, { origins }) => diagnoseBucket(settings, origins),
  policies,
  levels: lowered,
  identity: diagnoseIdentity,
  issuer: diagnoseIssuer,
  token: (settings, { token }) => diagnoseToken(settings, token),
  clock: (settings) => diagnoseClock(settings),
  sql: diagnoseSql,
  collections: (settings, { dataDir }) => diagnoseCollections(settings, dataDir),
  embedding: (settings, { origins }) => diagnoseEmbedding(settings, origins),
  model: (settings, { assistant }) => diagnoseAssistantModel(assistant ?? (() => settings)),
  runner: (settings, { engineEnv }) => diagnoseRunner(settings, engineEnv),
  commands: (settings) => diagnoseCommands(settings),
  redis: (settings) => diagnoseRedis(settings),
  state: (settings) => diagnoseState(settings),
  port,
  'host-names': diagnoseHostNames,
  'public-url': diagnosePublicName,
}
