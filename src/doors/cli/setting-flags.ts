/** Every setting as a command-line flag. */

import { Help, Option } from 'commander'
import type { Command } from 'commander'
import { SETTINGS } from '../../config/index.ts'

/** Adds a flag for each setting. They are known to the parser and its suggestions, but help stays one screen. */
export function addSettingFlags(command: Command): Command {
  for (const { flag, kind, says } of SETTINGS) {
    const value = kind.type === 'boolean' ? '[value]' : kind.type === 'list' ? '<values>' : '<value>'
    command.addOption(new Option(`${flag} ${value}`, says))
  }
  return command.configureHelp({
    formatHelp(self, helper) {
      helper.visibleOptions = (shown) => Help.prototype.visibleOptions.call(helper, shown).filter(({ long }) => !FLAGS.has(long ?? ''))
      return Help.prototype.formatHelp.call(helper, self, helper)
    },
  })
}

const FLAGS: ReadonlySet<string> = new Set(SETTINGS.map(({ flag }) => flag))
