/** Our HTTP door with its trail, its log and all its guards; or, to price them, with a bare handler in the place of the chain. */

import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/create-app.ts'
import { served } from '../../src/app/gates.ts'
import { openIdentity } from '../../src/app/identity.ts'
import { loadSettings } from '../../src/config/index.ts'
import { lineTo } from '../../src/doors/cli/log-lines.ts'
import { createHttpDoor } from '../../src/doors/http/index.ts'
import { Answer } from '../../src/kernel/answer.ts'
import type { Dispatch } from '../../src/kernel/call.ts'
import { VERSION } from '../../src/kernel/version.ts'
import { catalog } from '../../src/tools/catalog.ts'
import { calculate } from '../../src/tools/core/calculate.ts'
import { fillingTools } from '../many-tools.ts'
import { givenParts, told } from './listen.ts'

export interface OwnParts {
  readonly dataDir: string
  readonly tools: number
  /** False puts the bare handler in the place of the chain. */
  readonly guards: boolean
  /** As a config file spells them. */
  readonly settings: Readonly<Record<string, unknown>>
}

const { dataDir, tools, guards, settings } = givenParts<OwnParts>()
const { values } = loadSettings({ file: JSON.stringify(settings) })
const present = new Set(served(catalog, values).flatMap((family) => family.tools.map(({ name }) => name)))
// A setting names a port from 1 up; 0 lets the system choose. Lines go to this process's stdout, which its starter discards.
const whole = createApp({ ...values, port: 0 }, { dataDir, tools: fillingTools(present, tools), log: lineTo(process.stdout).log })

/** No view, no chain, no record: the handler, whoever asks for whatever tool. */
const bare: Dispatch = async (request) => {
  const args = request.kind === 'tool' ? request.args : undefined
  const services = { bounds: { expressionMaxLength: 200 } } as Parameters<typeof calculate.run>[1]
  const context = {} as Parameters<typeof calculate.run>[2]
  return { is: 'ok', answer: new Answer((await calculate.run(args as { expression: string }, services, context)) as { result: number }) }
}

const app: App = guards ? whole : { ...whole, dispatch: bare }
const identity = await openIdentity(values)
const door = createHttpDoor({ app, ...(identity && { identity }), version: VERSION, warn: (text) => process.stderr.write(`${text}\n`) })
const { port } = await door.listen()
told(port, async () => {
  await door.drain()
  await app.close()
})
