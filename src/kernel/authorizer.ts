/** The port of per-resource authorization. Another policy engine may stand behind it. */

import type { Access } from './access.ts'
import type { Caller } from './caller.ts'

export interface Authorizer {
  /** Whether the caller may do this. Anything but `true` denies; a throw denies. */
  allows(caller: Caller, access: Access): boolean | Promise<boolean>
  /**
   * Whether anything whose identifier begins with this one's could be allowed: where nothing could, nothing is looked
   * for, so that time does not tell what is there. Absent: everything could be.
   */
  reaches?(caller: Caller, access: Access): boolean
  /** Changes whenever the policy does: what people agreed to under another one is asked again. */
  revision?(): string
}
