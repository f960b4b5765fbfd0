/** Every rule for secrets, by subject. */

import type { SecretRule } from '../rule.ts'
import { ASSIGNMENT } from './assignments.ts'
import { CLOUDS } from './clouds.ts'
import { CODE_HOSTS } from './code-hosts.ts'
import { COMMERCE } from './commerce.ts'
import { HEADERS } from './headers.ts'
import { JWT } from './jwt.ts'
import { MESSAGING } from './messaging.ts'
import { MODELS } from './models.ts'
import { PRIVATE_KEYS } from './private-keys.ts'
import { URLS } from './urls.ts'
import { WORKPLACE } from './workplace.ts'

export const SECRET_RULES: readonly SecretRule[] = [
  ...PRIVATE_KEYS, ...CLOUDS, ...CODE_HOSTS, ...MESSAGING, ...COMMERCE, ...MODELS, ...WORKPLACE, JWT, ...URLS, ...HEADERS, ASSIGNMENT,
]
