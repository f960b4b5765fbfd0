/** Names of branches and tags: from the list of packed ones and from the files of the others (gitrepository-layout(5)), in a time that grows with their number alone. */

import type { JailedFs } from './jailed-fs.ts'

export interface RefSource {
  readonly fs: Pick<JailedFs, 'promises'>
  readonly dir: string
}

const MAX_FOLDERS = 2_000
const MAX_NAMES = 50_000
const PACKED = /^[0-9a-f]{40,64} (refs\/\S+)$/gm

/** @param below such as `refs/heads/`. @returns the names without it, in order. */
export async function refNames({ fs, dir }: RefSource, below: string): Promise<readonly string[]> {
  const found = new Set<string>()
  const packed = await fs.promises.readFile(`${dir}/.git/packed-refs`, 'utf8').catch(() => '')
  for (const [, name = ''] of String(packed).matchAll(PACKED)) if (name.startsWith(below)) found.add(name.slice(below.length))
  const folders = ['']
  for (let at = 0; at < folders.length && at < MAX_FOLDERS && found.size < MAX_NAMES; at += 1) {
    const folder = folders[at] ?? ''
    for (const name of await fs.promises.readdir(`${dir}/.git/${below}${folder}`).catch(() => [])) {
      const stats = await fs.promises.lstat(`${dir}/.git/${below}${folder}${name}`).catch(() => undefined)
      if (stats?.isDirectory() === true) folders.push(`${folder}${name}/`)
      else if (stats?.isFile() === true && !name.endsWith('.lock')) found.add(folder + name)
    }
  }
  return [...found].sort()
}
