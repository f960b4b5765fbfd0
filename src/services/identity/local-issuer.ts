/**
 * A token for one machine: an Ed25519 key pair and a signed token in private files below the data directory.
 * The key is kept across starts; the token is made anew when it has (nearly) expired or should say something else.
 */

import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { chmodSync, closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../kernel/clock.ts'
import { ensurePrivateFolder } from '../../exits/disk/private-folder.ts'
import { scopesOf } from './claims.ts'

export interface LocalTokenOptions {
  /** Absolute; made, for the owner alone, where it is missing. */
  readonly dataDir: string
  readonly issuer: string
  readonly audience: string
  readonly scopes: readonly string[]
  readonly subject: string
  readonly ttlSeconds: number
  readonly clock: Pick<Clock, 'now'>
}

export interface LocalToken {
  readonly token: string
  /** What `oauthPublicKey` takes. */
  readonly publicKeyPem: string
  /** Holds the token alone, readable by the owner alone. */
  readonly tokenFile: string
}

const KEY_FILE = 'local-issuer.pem'
const TOKEN_FILE = 'local-token'
/** A token with less than this share of its life left is replaced at start. */
const MIN_LIFE_LEFT = 0.1

/** @throws whatever the file system says when the files cannot be kept. */
export async function mintLocalToken(options: LocalTokenOptions): Promise<LocalToken> {
  const { dataDir } = options
  ensurePrivateFolder(dataDir)
  const tokenFile = join(dataDir, TOKEN_FILE)
  const key = keptKey(join(dataDir, KEY_FILE))
  const publicKey = createPublicKey(key)
  const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const kept = readPrivate(tokenFile)?.trim()
  if (kept !== undefined && (await saysTheSame(kept, publicKey, options))) return { token: kept, publicKeyPem, tokenFile }
  const token = await sign(key, options)
  writePrivate(tokenFile, `${token}\n`, renameSync)
  return { token, publicKeyPem, tokenFile }
}

function keptKey(file: string): KeyObject {
  const kept = parseKey(readPrivate(file))
  if (kept) return kept
  const { privateKey } = generateKeyPairSync('ed25519')
  const isBroken = readPrivate(file) !== undefined
  try {
    // A link fails where another process was first, and then its key is the one.
    writePrivate(file, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), isBroken ? renameSync : linkSync)
    return privateKey
  } catch (error) {
    const theirs = parseKey(readPrivate(file))
    if (!theirs) throw error
    return theirs
  }
}

function parseKey(pem: string | undefined): KeyObject | undefined {
  if (pem === undefined) return undefined
  try {
    const key = createPrivateKey(pem)
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    return undefined
  }
}

async function sign(key: KeyObject, { issuer, audience, scopes, subject, ttlSeconds, clock }: LocalTokenOptions): Promise<string> {
  const { SignJWT } = await import('jose')
  const nowSeconds = Math.floor(clock.now() / 1000)
  return new SignJWT({ scope: scopes.join(' ') })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt' })
    .setIssuer(issuer).setAudience(audience).setSubject(subject)
    .setIssuedAt(nowSeconds).setExpirationTime(nowSeconds + ttlSeconds)
    .setJti(randomBytes(12).toString('base64url'))
    .sign(key)
}

async function saysTheSame(token: string, key: KeyObject, wanted: LocalTokenOptions): Promise<boolean> {
  const { jwtVerify } = await import('jose')
  const { issuer, audience, scopes, subject, ttlSeconds, clock } = wanted
  const currentDate = new Date(clock.now() + ttlSeconds * 1000 * MIN_LIFE_LEFT)
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ['EdDSA'], issuer, audience, subject, requiredClaims: ['exp'], currentDate })
    const said = scopesOf(payload)
    return said.size === new Set(scopes).size && scopes.every((scope) => said.has(scope))
  } catch {
    return false
  }
}

function readPrivate(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8')
    chmodSync(file, 0o600)
    return text
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Writes a private draft beside the file, which then gets the file's name. */
function writePrivate(file: string, text: string, publish: (draft: string, file: string) => void): void {
  const draft = `${file}.${randomBytes(8).toString('hex')}.tmp`
  try {
    const fd = openSync(draft, 'wx', 0o600)
    try {
      writeSync(fd, text)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    publish(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}
