/** Where this machine keeps the data of its user, for a program that names no folder. */

import process from 'node:process'
import { platformDataDir } from '../config/index.ts'
import { userHome } from '../exits/disk/user-home.ts'

export const defaultDataDir = (): string => platformDataDir({ name: process.platform, home: userHome(), env: process.env })
