/** Where the user is at home. A user without an entry in the system's list has no home: then it is where the program runs. */

import { homedir } from 'node:os'

export function userHome(): string {
  try {
    return homedir()
  } catch {
    return process.cwd()
  }
}
