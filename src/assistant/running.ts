/** One request while it is worked on. */

import { errandId } from '../kernel/errand.ts'
import type { Errand } from '../kernel/errand.ts'
import type { ChatModel, ChatTurn } from '../kernel/ports/chat.ts'
import { Refusal, refusalText } from '../kernel/refusal.ts'
import type { AssistantLimits, AssistantPorts, Ended, Request, StepRecord, StopReason, ToolCard } from './words.ts'
import type { Sources } from './citations.ts'
import { messagesOf } from './conversation.ts'
import { parseCall, parseDecision } from './decision.ts'
import type { Decision } from './decision.ts'
import type { Keeper } from './keeper.ts'
import { LineFeed } from './line-feed.ts'
import { hear } from './observe.ts'
import { systemPrompt } from './prompt.ts'
import { Repeats } from './repeats.ts'
import { createTimeLimit } from './time-limit.ts'
import type { TimeLimit } from './time-limit.ts'

/** Answers in a row that are no decision before the request stops. */
const MAX_UNREADABLE = 3
/** Of a prompt, for one result. */
const RESULT_SHARE = 0.25

export const resultChars = ({ maxPromptChars }: ChatModel): number => Math.floor(maxPromptChars * RESULT_SHARE)

const SAYS: Readonly<Record<Exclude<StopReason, 'model'>, string>> = {
  steps: 'the model did not come to an answer within the steps that it may take',
  repeated: 'the model repeated a call without a change',
  unreadable: 'the model did not say what it wants in a form that can be read',
  cancelled: 'it was cancelled',
  timeout: 'it took too long',
}

export interface RunningPorts extends AssistantPorts {
  readonly keeper: Keeper
}

const CUT: Decision = { is: 'unreadable', says: 'it was cut off at the length limit' }

type Choice = Extract<Decision, { is: 'call' }> & { readonly id: string }

export class Running {
  readonly #ports: RunningPorts
  readonly #limits: AssistantLimits
  readonly #request: Request
  readonly #errand: Errand
  readonly #tools: readonly ToolCard[]
  readonly #time: TimeLimit
  readonly #steps: StepRecord[] = []
  readonly #sources: Sources
  readonly #repeats = new Repeats()

  constructor(ports: RunningPorts, limits: AssistantLimits, request: Request) {
    this.#ports = ports
    this.#limits = limits
    this.#request = request
    this.#errand = Object.freeze({ id: errandId(ports.newId()), text: request.text })
    this.#tools = ports.tools()
    this.#time = createTimeLimit(limits.timeoutMs, ports.timers, request.signal)
    this.#sources = request.conversation.sources
    this.#sources.addText(request.text)
    request.conversation.add({ kind: 'asked', text: request.text })
  }

  async toEnd(): Promise<Ended> {
    await this.#ports.keeper.keep(this.#request.conversation, { kind: 'asked', text: this.#errand.text })
    let unreadable = 0
    for (let decisions = 0; decisions < this.#limits.maxSteps; decisions += 1) {
      const decision = await this.#decided()
      if (decision === undefined) return this.#interrupted()
      if (decision instanceof Refusal) return this.#stopped('model', refusalText(decision))
      if (decision.is === 'answer') return this.#answered(decision.text)
      if (decision.is === 'unreadable') {
        unreadable += 1
        if (unreadable >= MAX_UNREADABLE) return this.#stopped('unreadable')
        continue
      }
      unreadable = 0
      const ended = await this.#acted(decision)
      if (ended) return ended
    }
    return this.#stopped('steps')
  }

  /** Lets go of what would outlive the request. */
  end(): void {
    this.#time.end()
  }

  get #isNative(): boolean {
    const { toolCalling } = this.#limits
    return toolCalling === 'native' || (toolCalling === 'auto' && this.#ports.model.speaksTools)
  }

  /** The next decision; undefined when the request was interrupted, a refusal when the model gave none. */
  async #decided(): Promise<Choice | Exclude<Decision, { is: 'call' }> | Refusal | undefined> {
    try {
      const turn = await this.#turn()
      if (this.#time.signal.aborted) return undefined
      return this.#read(turn)
    } catch (error) {
      if (this.#time.signal.aborted) return undefined
      if (error instanceof Refusal) return error
      throw error
    }
  }

  async #turn(): Promise<ChatTurn> {
    const { model, show } = this.#ports
    const { conversation, onEvent } = this.#request
    const isNative = this.#isNative
    const system = systemPrompt(this.#tools, isNative)
    const lines = new LineFeed((text) => onEvent?.({ is: 'text', text: this.#sources.strip(show(text)) }))
    const turn = await model.chat({
      system, signal: this.#time.signal,
      messages: messagesOf(conversation.entries, model.maxPromptChars - system.length, isNative),
      ...(isNative
        ? { tools: this.#tools.map(({ name, summary, parameters }) => ({ name, description: summary, parameters })), onText: (piece: string) => lines.push(piece) }
        : { json: true }),
    })
    // The provider does not take tools: the same question in the other form. It cannot lack them again.
    if (turn.lacksTools && isNative && !this.#isNative) return this.#turn()
    lines.end()
    return turn
  }

  #read({ text, calls, isCut }: ChatTurn): Choice | Exclude<Decision, { is: 'call' }> {
    const [call] = calls
    const decision = isCut && call !== undefined ? CUT : call === undefined ? this.#readText(text, isCut) : parseCall(call.name, call.args)
    if (decision.is === 'call') return { ...decision, id: call?.id ?? this.#ports.newId() }
    if (decision.is === 'unreadable') this.#request.conversation.add({ kind: 'told', said: this.#ports.show(text), text: `That could not be read: ${decision.says}. Choose one tool, or answer.` })
    return decision
  }

  /** A text that was cut off may be shown, but nothing runs because of it. */
  #readText(text: string, isCut: boolean): Decision {
    const decision = parseDecision(text, { isNative: this.#isNative })
    return isCut && decision.is === 'call' ? CUT : decision
  }

  async #acted({ id, name, args }: Choice): Promise<Ended | undefined> {
    const { conversation, arrival, onEvent } = this.#request
    const card = this.#tools.find((tool) => tool.name === name)
    const shownName = card?.name ?? 'unknown'
    const record = (status: StepRecord['status'], result: string): void => {
      this.#steps.push({ tool: shownName, args, status })
      conversation.add({ kind: 'called', id, name: shownName, args: JSON.stringify(args), result })
    }
    if (this.#repeats.isRepeat(name, args, card)) {
      record('declined', 'not made again: it is the same call as before, without a change')
      return this.#repeats.isStuck ? this.#stopped('repeated') : undefined
    }
    const step = this.#steps.length + 1
    onEvent?.({ is: 'calling', step, tool: shownName, shown: this.#ports.show(JSON.stringify(args)) })
    const outcome = await this.#dispatched(name, args)
    await this.#ports.keeper.keep(conversation, { kind: 'called', tool: shownName })
    if (outcome.is === 'ask' && outcome.ask.panel !== undefined && arrival.takesQuestions === true) {
      record('confirmation_required', 'waits for the person')
      onEvent?.({ is: 'called', step, tool: shownName, status: 'confirmation_required', text: '' })
      return { is: 'pending', ...this.#ending(), pending: { tool: name, args, ask: outcome.ask, ticket: outcome.ticket } }
    }
    const { status, text } = hear(conversation, { id, name: shownName, args }, outcome, resultChars(this.#ports.model))
    this.#repeats.made(name, args, { changed: status === 'success' && card?.reads !== true })
    this.#steps.push({ tool: shownName, args, status })
    onEvent?.({ is: 'called', step, tool: shownName, status, text })
    return this.#time.signal.aborted ? this.#interrupted() : undefined
  }

  async #dispatched(name: string, args: StepRecord['args']) {
    const { dispatch, caller } = this.#ports
    const { arrival } = this.#request
    const { ask } = arrival
    return dispatch({ kind: 'tool', name, args }, caller, {
      ...arrival, errand: this.#errand, signal: this.#time.signal,
      ...(ask && { ask: (questions, panel) => this.#time.paused(() => ask(questions, panel)) }),
    })
  }

  async #answered(given: string): Promise<Ended> {
    const text = this.#sources.strip(this.#ports.show(given)).trim()
    this.#request.conversation.add({ kind: 'answered', text })
    if (!this.#isNative) this.#request.onEvent?.({ is: 'text', text })
    await this.#ports.keeper.keep(this.#request.conversation, { kind: 'answered', text })
    return { is: 'answered', text, ...this.#ending() }
  }

  #interrupted(): Promise<Ended> {
    return this.#stopped(this.#time.isOver ? 'timeout' : 'cancelled')
  }

  async #stopped(why: StopReason, says: string = why === 'model' ? '' : SAYS[why]): Promise<Ended> {
    const { conversation } = this.#request
    const entry = { kind: 'answered', text: `(stopped: ${says})` } as const
    // The next request must not be read as going on with this one.
    conversation.add(entry)
    await this.#ports.keeper.keep(conversation, entry)
    return { is: 'stopped', why, says, ...this.#ending() }
  }

  #ending(): { readonly request: string; readonly steps: readonly StepRecord[] } {
    return { request: this.#errand.id, steps: [...this.#steps] }
  }

}
