/** The SDK's tools over the SDK's stdio. */

import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createSdkServer } from './sdk-tools.ts'

serveStdio(createSdkServer)
