/** Loads what the operator decided beforehand, from the user's own configuration and from nowhere else. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config/index.ts'
import { isObject } from '../kernel/json-object.ts'
import { NO_ORDERS, parseOrders } from '../policy/orders.ts'
import type { Orders } from '../policy/orders.ts'
import { NO_HOOKS, parseHooks } from '../services/hooks/parse-hooks.ts'
import type { Hooks } from '../services/hooks/parse-hooks.ts'

export interface OperatorOrders extends Orders {
  readonly hooks: Hooks
}

export const NO_OPERATOR_ORDERS: OperatorOrders = { ...NO_ORDERS, hooks: NO_HOOKS }

/** @param home folder of the user's configuration. @throws ConfigError for orders that cannot be held to. */
export function loadOrders(home: string): OperatorOrders {
  const raw = membersOf(join(home, 'config.json'))
  const [parsed, hooks] = [parseOrders(raw), parseHooks(raw['hooks'])]
  const problems = [...(parsed.ok ? [] : parsed.problems), ...(hooks.ok ? [] : hooks.problems.map((problem) => `hooks: ${problem}`))]
  if (problems.length > 0) throw new ConfigError(problems.map((problem) => `the user’s config.json: ${problem}`))
  return { ...(parsed.ok ? parsed.orders : NO_ORDERS), hooks: hooks.ok ? hooks.hooks : NO_HOOKS }
}

/** A file that is not there says nothing; one that cannot be read was refused with the rules that it holds. */
function membersOf(file: string): Readonly<Record<string, unknown>> {
  try {
    const raw: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isObject(raw) ? raw : {}
  } catch {
    return {}
  }
}
