/** The app of the fixture server: this package through its public surface, with every guard on. */

import { createArrowhead } from '../../src/index.ts'
import type { AppOptions, Arrowhead, GivenSettings } from '../../src/index.ts'
import { askingTools } from './asking-tools.ts'
import { prompts, resources } from './named.ts'
import { taskTools } from './task-tools.ts'
import { answeringTools } from './tools.ts'

export interface FixtureOptions {
  readonly port: number
  readonly dataDir: string
  readonly settings?: GivenSettings
  readonly replace?: NonNullable<AppOptions['replace']>
}

export const openFixture = ({ port, dataDir, settings = {}, replace = {} }: FixtureOptions): Arrowhead =>
  createArrowhead(
    {
      transport: 'http', port, dangerouslyAllowInsecureHttp: true, hotLane: true, statelessHttp: true,
      allowedHosts: [`127.0.0.1:${port}`, `localhost:${port}`], allowedOrigins: [`http://127.0.0.1:${port}`, `http://localhost:${port}`],
      ...settings,
    },
    { dataDir, tools: [...answeringTools, ...askingTools, ...taskTools], resources, prompts, replace },
  )
