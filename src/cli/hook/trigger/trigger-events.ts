import type { MessageClient } from '../../../client/message-client.js'
import type { ReceivedTextClient } from '../../../client/received-text-client.js'
import type { CallOptions } from '../../../client/transport.js'
import type { EventObjectFields } from '../../../contract/event-schema.js'
import type { EventName } from '../../../domain/webhook/event.js'
import { RelayError } from '../../../errors.js'
import type { Pause } from '../../../util/async/clock.js'
import { type Lifecycle, lifecycleEvents } from './lifecycle.js'
import { type ReportApi, reportFailed, reportSent } from './report-message.js'
import { type DoNotTextApi, TemporaryDoNotText } from './temporary-do-not-text.js'
import type { TriggerStep } from './trigger-plan.js'

/** An event that was caused. */
export interface CausedEvent extends EventObjectFields {
  readonly event: EventName
  readonly lifecycle: Lifecycle
  /** Where the message goes, or for `message.received` whom the text is from. */
  readonly destination: string
}

/** What to cause, how fast, and whom to tell. */
export interface TriggerOptions {
  readonly client: ReportApi &
    DoNotTextApi & {
      readonly messages: Pick<MessageClient, 'create'>
      readonly receivedTexts: Pick<ReceivedTextClient, 'report'>
    }
  /** The messages, of which the first `count` are made. */
  readonly plan: Iterator<TriggerStep>
  readonly count: number
  /** Messages a second, at most. @default as many as the relay takes, one after the other */
  readonly rate?: number | undefined
  /** Put on the Do Not Text list for as long as this goes on, where a message needs it. */
  readonly blocked: string
  readonly signal: AbortSignal
  readonly pause: Pause
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number
  readonly onEvent: (caused: CausedEvent) => void
}

/** How it went. */
export interface TriggerResult {
  readonly reason: 'count' | 'stopped' | 'failed'
  readonly messages: number
  readonly events: number
  /** What failed. */
  readonly error?: unknown
  /** The number that could not be taken off the Do Not Text list. */
  readonly left?: string
}

/** Makes messages to test numbers and settles each, whatever phone runs; never takes another message. Does not throw. */
export async function triggerEvents(options: TriggerOptions): Promise<TriggerResult> {
  const hold = new TemporaryDoNotText(options.client, options.blocked)
  let messages = 0
  let events = 0
  const count = (caused: CausedEvent): void => {
    if (lifecycleEvents[caused.lifecycle][0] === caused.event) messages += 1
    events += 1
    options.onEvent(caused)
  }
  let outcome: Pick<TriggerResult, 'reason' | 'error'> = { reason: 'count' }
  try {
    await runPlan({ ...options, onEvent: count }, hold)
  } catch (error) {
    outcome = options.signal.aborted ? { reason: 'stopped' } : { reason: 'failed', error }
  }
  const left = (await hold.remove()) ? { left: hold.number } : {}
  return { ...outcome, messages, events, ...left }
}

async function runPlan(options: TriggerOptions, hold: TemporaryDoNotText): Promise<void> {
  const { plan, count, rate, signal, pause, now } = options
  const begun = now()
  for (let made = 0; made < count; made += 1) {
    const due = rate === undefined ? 0 : begun + (made * 1000) / rate
    const wait = due - now()
    if (wait > 0) await pause(wait, signal)
    signal.throwIfAborted()
    const { value: step } = plan.next() as { value: TriggerStep }
    await runStep(step, options, hold)
  }
}

async function runStep(
  { lifecycle, destination, text }: TriggerStep,
  { client, signal, onEvent }: TriggerOptions,
  hold: TemporaryDoNotText,
): Promise<void> {
  const call: CallOptions = { signal }
  if (lifecycle === 'received') {
    const { id } = await client.receivedTexts.report({ from: destination, message: text }, call)
    onEvent({ event: 'message.received', lifecycle, received: { id }, destination })
    return
  }
  const isBlocked = lifecycle === 'created-blocked'
  if (isBlocked) await hold.add(call)
  const message = await client.messages.create({ destination, message: text }, call)
  const tell = (event: EventName): void => {
    onEvent({ event, lifecycle, message: { id: message.id }, destination })
  }
  const [first, last] = lifecycleEvents[lifecycle]
  if (first !== undefined) tell(first)
  if (isBlocked && message.status !== 'B') throw notBlockedError(message.id, destination)
  if (lifecycle === 'created-sent') await reportSent(client, message, call)
  if (lifecycle === 'created-failed') await reportFailed(client, message, call)
  if (last !== undefined) tell(last)
}

function notBlockedError(id: string, number: string): RelayError {
  return new RelayError('invalid_state', `Message ${id} to ${number} was not blocked.`, {
    hint: 'Somebody else took the number off the Do Not Text list; choose another --seed.',
  })
}
