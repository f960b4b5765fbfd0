import type { Metafile } from 'esbuild'

export function loadedWith(names: Iterable<string>, outputs: Metafile['outputs']): ReadonlySet<string>
