/** The thread that reads one repository for one question, and ends. It is ended from outside when it takes too much. */

import { parentPort, workerData } from 'node:worker_threads'
import git from 'isomorphic-git'
import type { WalkerEntry } from 'isomorphic-git'
import type { GitChange, GitCommit } from '../../kernel/ports/host.ts'
import { JailedFs } from './jailed-fs.ts'
import type { Answers, BothTexts, Job, Question, Told } from './job.ts'
import { refNames } from './ref-names.ts'

const MAX_CHANGES = 2_000
const MAX_FILES = 200
const MAX_TEXT_BYTES = 200_000
const MAX_ALL_TEXT_BYTES = 2_000_000
const MAX_NAMES = 1_000
const MAX_PARENTS = 1_000

interface Repository {
  readonly fs: Pick<JailedFs, 'promises'>
  readonly dir: string
}

type Walked = Awaited<ReturnType<typeof git.walk>>

/** Added, changed and missing, by what stands in the last commit, in the folder and in the index. */
function stateOf(head: number, work: number, stage: number): GitChange['state'] | undefined {
  if (head === 1 && work === 1 && stage === 1) return undefined
  if (head === 0 && stage === 0) return work === 0 ? undefined : 'untracked'
  if (head === 0) return 'added'
  if (work === 0 || stage === 0) return 'deleted'
  return stage === 2 ? 'staged' : 'modified'
}

async function status({ fs, dir }: Repository): Promise<Answers['status']> {
  const rows = await git.statusMatrix({ fs, dir })
  const changes = rows.flatMap(([path, head, work, stage]) => {
    const state = stateOf(head, work, stage)
    return state === undefined ? [] : [{ path, state }]
  })
  return { branch: await branchOf({ fs, dir }), changes: changes.slice(0, MAX_CHANGES), truncated: changes.length > MAX_CHANGES }
}

const branchOf = async (repository: Repository): Promise<string> => (await git.currentBranch({ ...repository }).catch(() => undefined)) || '(detached)'

/** A name, the start of a commit's id, and `~2` or `^` behind either. */
async function commitOf({ fs, dir }: Repository, ref: string): Promise<string> {
  const [, name = '', back = ''] = /^([^~^]+)((?:~\d{0,3}|\^)*)$/.exec(ref) ?? []
  let oid = await git.resolveRef({ fs, dir, ref: name }).catch(() => git.expandOid({ fs, dir, oid: name }))
  const steps = [...back.matchAll(/~(\d*)|\^/g)].reduce((sum, [step, count]) => sum + (step === '^' || count === '' ? 1 : Number(count)), 0)
  for (let step = 0; step < Math.min(steps, MAX_PARENTS); step += 1) {
    const [parent] = (await git.readCommit({ fs, dir, oid })).commit.parent
    if (parent === undefined) throw new Error('no parent')
    oid = parent
  }
  return (await git.readCommit({ fs, dir, oid })).oid
}

async function log(repository: Repository, { ref, max }: Extract<Question, { ask: 'log' }>): Promise<readonly GitCommit[]> {
  const commits = await git.log({ ...repository, ref: await commitOf(repository, ref), depth: max })
  return commits.map(({ oid, commit: { author, message } }) => ({
    id: oid, author: author.name, email: author.email, date: new Date(author.timestamp * 1000).toISOString(), subject: (message.split('\n', 1)[0] ?? '').slice(0, 500),
  }))
}

async function diff(repository: Repository, { from, to }: Extract<Question, { ask: 'diff' }>): Promise<Answers['diff']> {
  const files: BothTexts[] = []
  let [bytes, truncated] = [0, false]
  const trees = [git.TREE({ ref: await commitOf(repository, from) }), to === undefined ? git.WORKDIR() : git.TREE({ ref: await commitOf(repository, to) })]
  const take = (path: string, before: string, after: string): void => {
    bytes += before.length + after.length
    if (files.length >= MAX_FILES || bytes > MAX_ALL_TEXT_BYTES) truncated = true
    else files.push({ path, before, after })
  }
  await git.walk({
    ...repository, trees,
    async map(path, [old, young]): Promise<Walked> {
      if (path === '.') return true
      // A folder or file that no commit knows is not part of a difference to one.
      if (truncated || (!old && to === undefined)) return null
      const [oldType, youngType] = [await old?.type(), await young?.type()]
      if (oldType === 'tree' || youngType === 'tree') return to !== undefined && (await old?.oid()) === (await young?.oid()) ? null : true
      if ((await old?.oid()) === (await young?.oid())) return undefined
      take(path, await textOf(old, oldType), await textOf(young, youngType))
      return undefined
    },
  })
  return { files, truncated }
}

async function textOf(entry: Pick<WalkerEntry, 'content'> | null | undefined, type: string | undefined): Promise<string> {
  if (!entry || type !== 'blob') return ''
  const bytes = (await entry.content()) ?? new Uint8Array()
  if (bytes.length > MAX_TEXT_BYTES) return `[${bytes.length} bytes are not shown]\n`
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return `[${bytes.length} bytes that are no text]\n`
  }
}

async function branches(repository: Repository): Promise<Answers['branches']> {
  const remote = (await refNames(repository, 'refs/remotes/')).filter((name) => !name.endsWith('/HEAD'))
  return { current: await branchOf(repository), local: (await refNames(repository, 'refs/heads/')).slice(0, MAX_NAMES), remote: remote.slice(0, MAX_NAMES) }
}

async function info(repository: Repository): Promise<Answers['info']> {
  const remotes = (await git.listRemotes(repository)).slice(0, MAX_NAMES).map(({ remote, url }) => ({ name: remote, url: withoutLogin(url) }))
  const head = await git.resolveRef({ ...repository, ref: 'HEAD' }).catch(() => '')
  return { branch: await branchOf(repository), head, remotes, tags: (await refNames(repository, 'refs/tags/')).slice(0, MAX_NAMES) }
}

/** Passwords and tokens stand in remotes. */
const withoutLogin = (url: string): string => url.replace(/^([a-z][\w+.-]*:\/\/)[^/@]*(?:@[^/@]*)*@/i, '$1')

async function answer({ tree, question }: Job): Promise<Told> {
  let fs: JailedFs | undefined
  try {
    fs = await JailedFs.open(tree)
    // The library looks for a property of its own, not for one that is inherited.
    const repository = { fs: { promises: fs.promises }, dir: tree }
    const ask = { status, log, diff, branches, info }[question.ask] as (repository: Repository, question: Question) => Promise<unknown>
    const found = await ask(repository, question)
    return fs.exceeded ? { ok: false, why: 'limit' } : { ok: true, answer: found }
  } catch {
    return { ok: false, why: fs?.exceeded === true ? 'limit' : 'repository' }
  } finally {
    fs?.close()
  }
}

parentPort?.postMessage(await answer(workerData as Job))
