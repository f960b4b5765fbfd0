/** Where the user is at home. A user without an entry in the system's list has no home: then it is where the program runs. */

import { homedir, userInfo } from 'node:os'
import { isAbsolute } from 'node:path'

export function userHome(): string {
  try {
    const home = homedir()
    // A HOME that is empty or relative would be a place in whichever folder the program runs, and that decides nothing.
    return isAbsolute(home) ? home : userInfo().homedir
  } catch {
    return process.cwd()
  }
}
