// `smsrelay hook trigger` causes real events with messages to test numbers.
//
// 1. trigger-plan.ts parses the lifecycle and creates messages from a seed.
// 2. triggerEvents creates one message after the other, at most `rate` a second.
// 3. report-message.ts reports each as sent, delivered or failed, as a phone would do; for
//    blocked messages, the number is on the Do Not Text list until the command ends.
// 4. commands/hook/trigger.ts prints each event.

import type { CallOptions } from '../../../client/call-options.js'
import type { DoNotTextClient } from '../../../client/do-not-text-client.js'
import type { MessageClient } from '../../../client/message-client.js'
import type { ReceivedTextClient } from '../../../client/received-text-client.js'
import { type EventObjectFields, getObjectId } from '../../../contract/event-schema.js'
import type { EventName } from '../../../domain/webhook/event.js'
import { isRelayError, RelayError } from '../../../errors.js'
import type { Clock } from '../../../util/async/clock.js'
import { toOneLine } from '../../terminal/terminal-text.js'
import { type ReportApi, reportFailed, reportReceipt, reportSent } from './report-message.js'
import { type Lifecycle, lifecycleEvents, type TriggerStep } from './trigger-plan.js'

export interface CausedEvent extends EventObjectFields {
  readonly event: EventName
  readonly lifecycle: Lifecycle
  readonly destination: string
}

interface DoNotTextApi {
  readonly doNotText: Pick<DoNotTextClient, 'list' | 'add' | 'remove'>
}

export interface TriggerOptions {
  readonly client: ReportApi &
    DoNotTextApi & {
      readonly messages: Pick<MessageClient, 'create'>
      readonly receivedTexts: Pick<ReceivedTextClient, 'report'>
    }
  readonly plan: Iterator<TriggerStep>
  readonly count: number
  readonly rate?: number | undefined
  readonly blocked: string
  readonly signal: AbortSignal
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>
  readonly onEvent: (event: CausedEvent) => void
}

export interface TriggerResult {
  readonly reason: 'count' | 'stopped' | 'failed'
  readonly messages: number
  readonly events: number
  readonly error?: unknown
  readonly stillBlocked?: string
}

/**
 * Runs `hook trigger`: creates messages to test numbers and reports them; changes no other message.
 * Never throws.
 */
export async function triggerEvents(options: TriggerOptions): Promise<TriggerResult> {
  const doNotText = new TemporaryDoNotText(options.client, options.blocked)
  let messages = 0
  let events = 0
  const onEvent = (event: CausedEvent): void => {
    if (lifecycleEvents[event.lifecycle][0] === event.event) messages += 1
    events += 1
    options.onEvent(event)
  }
  let result: Pick<TriggerResult, 'reason' | 'error'> = { reason: 'count' }
  try {
    await runPlan({ ...options, onEvent }, doNotText)
  } catch (error) {
    result = options.signal.aborted ? { reason: 'stopped' } : { reason: 'failed', error }
  }
  const isRemoved = await doNotText.remove()
  return { ...result, messages, events, ...(isRemoved ? {} : { stillBlocked: options.blocked }) }
}

export function formatCausedEvent(event: CausedEvent, time: string): string {
  const name = event.event.padEnd('message.received'.length)
  const destination = toOneLine(event.destination).padEnd(16)
  return `${time.slice(11, 19)}Z  ${name}  ${destination}  ${getObjectId(event) ?? ''}`
}

async function runPlan(options: TriggerOptions, doNotText: TemporaryDoNotText): Promise<void> {
  const { plan, count, rate, signal, clock } = options
  const begin = clock.monotonic()
  for (let created = 0; created < count; created += 1) {
    const due = rate === undefined ? 0 : begin + (created * 1000) / rate
    const wait = due - clock.monotonic()
    if (wait > 0) await clock.sleep(wait, signal)
    signal.throwIfAborted()
    const { value: step } = plan.next() as { value: TriggerStep }
    await runStep(step, options, doNotText)
  }
}

async function runStep(
  { lifecycle, destination, text }: TriggerStep,
  { client, signal, onEvent }: TriggerOptions,
  doNotText: TemporaryDoNotText,
): Promise<void> {
  const options: CallOptions = { signal }
  if (lifecycle === 'received') {
    const { id } = await client.receivedTexts.report({ from: destination, message: text }, options)
    onEvent({ event: 'message.received', lifecycle, received: { id }, destination })
    return
  }
  const isBlocked = lifecycle === 'created-blocked'
  if (isBlocked) await doNotText.add(options)
  const message = await client.messages.create({ destination, message: text }, options)
  const report = (event: EventName): void => {
    onEvent({ event, lifecycle, message: { id: message.id }, destination })
  }
  const [first, ...others] = lifecycleEvents[lifecycle]
  if (first !== undefined) report(first)
  if (isBlocked && message.status !== 'B') throw notBlockedError(message.id, destination)
  for (const event of others) {
    if (event === 'message.sent') await reportSent(client, message, options)
    if (event === 'message.failed') await reportFailed(client, message, options)
    if (event === 'message.delivered') await reportReceipt(client, message, 'delivered', options)
    if (event === 'message.undelivered') await reportReceipt(client, message, 'expired', options)
    report(event)
  }
}

/**
 * Puts a test number on the account's Do Not Text list for `hook trigger`, and removes it unless it
 * was there before.
 */
class TemporaryDoNotText {
  readonly #number: string
  readonly #client: DoNotTextApi
  #state: 'unknown' | 'existed' | 'added' = 'unknown'

  constructor(client: DoNotTextApi, number: string) {
    this.#client = client
    this.#number = number
  }

  async add(options: CallOptions): Promise<void> {
    if (this.#state !== 'unknown') return
    const entries = await this.#client.doNotText.list(options)
    const exists = entries.some(each => each.number === this.#number && each.scope === 'account')
    this.#state = exists ? 'existed' : 'added'
    if (!exists) await this.#client.doNotText.add(this.#number, options)
  }

  /** Removes the test number from the list; false if that failed within 5 s. */
  async remove(): Promise<boolean> {
    if (this.#state !== 'added') return true
    this.#state = 'unknown'
    try {
      await this.#client.doNotText.remove(this.#number, { signal: AbortSignal.timeout(5000) })
      return true
    } catch (error) {
      return isRelayError(error, 'not_found')
    }
  }
}

function notBlockedError(id: string, number: string): RelayError {
  return new RelayError('invalid_state', `Message ${id} to ${number} was not blocked.`, {
    hint: 'Another program removed the number from the Do Not Text list; use another --seed.',
  })
}
