import { it } from 'vitest'
import { agentDisclosesNothing } from './workspace-agent-disclosure.ts'

it('an assistant sees a workspace as if the contents that are withheld were not there, and nothing of a secret', () => agentDisclosesNothing(400), 600_000)
