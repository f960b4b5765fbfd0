import type { Family } from '../../kernel/resource.ts'
import { edit } from './edit.ts'
import { glob } from './glob.ts'
import { grep } from './grep.ts'
import { ls } from './ls.ts'
import { multiedit } from './multiedit.ts'
import { read } from './read.ts'
import { write } from './write.ts'

/** What the assistant of a workspace may choose from. Those that write exist only where something could be written. */
export const confined = ({ writes }: { readonly writes: boolean }): Family => ({
  name: 'confined',
  tools: [glob, grep, ls, read, ...(writes ? [edit, multiedit, write] : [])],
  resources: [],
  prompts: [],
})
