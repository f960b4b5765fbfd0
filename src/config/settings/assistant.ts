/** The assistant: how far one request may go, and its HTTP API for programs of this machine. */

import { choice, count, seconds } from '../kinds.ts'
import { tcpPort } from '../network-kinds.ts'
import { dangerousSwitch, section, setting } from '../setting.ts'
import { secretKey } from '../text-kinds.ts'

export const assistant = section('Assistant', {
  ASSISTANT_MAX_STEPS: setting(count(100), {
    default: 12,
    says: 'Decisions that the model may take for one request; at the last one the assistant stops and says so.',
  }),
  ASSISTANT_TIMEOUT_SECONDS: setting(seconds(86_400), {
    default: 600,
    says: 'Longest time for one request, without the time that a person takes to agree.',
  }),
  ASSISTANT_TOOL_CALLING: setting(choice(['auto', 'native', 'json']), {
    default: 'auto',
    says: 'How the model names a tool: native is the calling of its provider, json is one JSON object in its text, auto is native where the provider takes tools.',
  }),
  API_PORT: setting(tcpPort(), { default: 8420, says: 'TCP port of the assistant\u2019s API, which listens on 127.0.0.1 alone.' }),
  API_TOKEN: setting(secretKey(), {
    secret: true,
    says: 'Bearer token that every request to the API must carry, but for its health; unset, one is made and kept in the data folder.',
  }),
  API_WITHOUT_TOKEN: dangerousSwitch({
    says: 'Whether the API serves without a token.',
    risk: 'Every program and every user of this machine can have the assistant act as you.',
  }),
})
