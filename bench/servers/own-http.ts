/**
 * Our HTTP door with its trail, its log and all its guards; or, to price them, with what is left of a server when the
 * chain is taken out: it still speaks the protocol, so it lists its tools, knows their names and checks their input.
 */

import { createApp } from '../../src/app/create-app.ts'
import type { App } from '../../src/app/create-app.ts'
import { served } from '../../src/app/gates.ts'
import { openIdentity } from '../../src/app/identity.ts'
import { loadSettings } from '../../src/config/index.ts'
import { lineTo } from '../../src/doors/cli/log-lines.ts'
import { keepHeapYoung } from '../../src/doors/cli/young-heap.ts'
import { createHttpDoor } from '../../src/doors/http/index.ts'
import { Answer } from '../../src/kernel/answer.ts'
import type { Call, Dispatch, Outcome } from '../../src/kernel/call.ts'
import { Refusal, refusal } from '../../src/kernel/refusal.ts'
import type { RefusalCode } from '../../src/kernel/refusal.ts'
import { VERSION } from '../../src/kernel/version.ts'
import { catalog } from '../../src/tools/catalog.ts'
import { fillingTools } from '../many-tools.ts'
import { givenParts, told } from './listen.ts'

export interface OwnParts {
  readonly dataDir: string
  readonly tools: number
  /** `unrecorded` takes out the trail and the log line, `bare` the chain and the view as well. */
  readonly guards: 'all' | 'unrecorded' | 'bare'
  /** As a config file spells them. */
  readonly settings: Readonly<Record<string, unknown>>
}

// As our binary does.
keepHeapYoung()
const { dataDir, tools, guards, settings } = givenParts<OwnParts>()
const { values } = loadSettings({ file: JSON.stringify(settings) })
const present = new Set(served(catalog, values).flatMap((family) => family.tools.map(({ name }) => name)))
// A setting names a port from 1 up; 0 lets the system choose. Lines go to this process's stdout, which its starter discards.
const record = guards === 'unrecorded' ? { replace: { trail: null } } : { log: lineTo(process.stdout).log }
const whole = createApp({ ...values, port: 0 }, { dataDir, tools: fillingTools(present, tools), ...record })

const everything = whole.registry.view(whole.local.scopes)
const noContext = {} as Call
const ok = (answer: Answer): Outcome => ({ is: 'ok', answer })
const refused = (code: RefusalCode): Outcome => ({ is: 'refused', refusal: refusal(code) })

/** No chain and no record: the tool of that name, whoever asks for it. */
const bare: Dispatch = (request) => {
  if (request.kind === 'listing') return ok(new Answer({ items: everything.listings[request.of] }))
  const found = request.kind === 'tool' ? everything.find('tool', request.name) : undefined
  if (!found || request.kind !== 'tool') return refused('component.unknown')
  const { component } = found.entry
  const input = component.parse(request.args)
  if (!input.ok) return refused('input.invalid')
  try {
    const answer = component.run(input.value, noContext)
    return answer instanceof Promise ? answer.then(ok, failed) : ok(answer)
  } catch (error) {
    return failed(error)
  }
}

const failed = (error: unknown): Outcome => (error instanceof Refusal ? { is: 'refused', refusal: error } : { is: 'fault', incident: 'bench' })

const app: App = guards === 'bare' ? { ...whole, dispatch: bare } : whole
const identity = await openIdentity(values)
const door = createHttpDoor({ app, ...(identity && { identity }), version: VERSION, warn: (text) => process.stderr.write(`${text}\n`) })
const { port } = await door.listen()
told(port, async () => {
  await door.drain()
  await app.close()
})
