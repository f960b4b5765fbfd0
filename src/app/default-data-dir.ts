/** Where a machine keeps the data of its user, for a program that names no folder. */

import { platformDataDir } from '../config/index.ts'
import { userHome } from '../exits/disk/user-home.ts'

/** @param machine the platform and the environment, as the door finds them */
export const defaultDataDir = ({ platform, env }: Pick<NodeJS.Process, 'platform' | 'env'>): string => platformDataDir({ name: platform, home: userHome(), env })
