/** Opens the embedded adapter behind each port. Nothing heavy loads before it is used. */

import type { Settings } from '../config/index.ts'
import { createEgress } from '../exits/net/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Services } from '../kernel/services.ts'
import { createFiles } from '../services/files/read-only-files.ts'
import type { AppOptions } from './ports.ts'

export interface OpenServices {
  readonly services: Services
  close(): Promise<void>
}

export function createServices(settings: Settings, clock: Clock, options: AppOptions, surface: Services['surface']): OpenServices {
  const files = createFiles({ root: settings.jailRoot, maxBytes: settings.readFileMaxBytes })
  const services: Services = {
    bounds: { expressionMaxLength: settings.expressionMaxLength },
    clock,
    egress: createEgress({
      ...(settings.egressAllowedHosts && { allowedHosts: settings.egressAllowedHosts }),
      ...(settings.egressAllowedPorts && { allowedPorts: settings.egressAllowedPorts }),
      maxBytes: settings.fetchMaxResponseBytes,
      timeoutMs: settings.fetchTimeoutSeconds * 1000,
      maxRedirects: settings.fetchMaxRedirects,
      userAgent: 'arrowhead',
      ...(options.ownAddresses && { ownAddresses: options.ownAddresses }),
    }),
    files,
    surface,
    ...options.replace?.services,
  }
  return { services, close: () => files.close() }
}
