import type { CallOptions } from '../../client/call-options.js'
import type { RelayClient } from '../../client/relay-client.js'
import { type EventObjectFields, getObjectId } from '../../contract/event-schema.js'
import type { MessageFields } from '../../contract/message-schema.js'
import { maxAttempts } from '../../domain/message/message.js'
import type { EventName } from '../../domain/webhook/event.js'
import { isRelayError, RelayError } from '../../errors.js'
import type { Clock } from '../../util/async/clock.js'
import { toOneLine } from '../terminal/terminal-text.js'

export interface CausedEvent extends EventObjectFields {
  readonly event: EventName
  readonly destination: string
}

export interface TriggerOptions {
  readonly client: RelayClient
  /** The event to cause, with those before it. */
  readonly event: EventName
  readonly count: number
  /** Test messages in a second. @default no limit */
  readonly rate?: number | undefined
  /** Test number that is on the Do Not Text list while `message.blocked` is caused. */
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
  /** Test number that could not be removed from the Do Not Text list. */
  readonly stillBlocked?: string
}

type Report = (client: RelayClient, id: string, options: CallOptions) => Promise<void>

/** How a phone would cause each event of a message; `message.create` needs none. */
const reports: Partial<Record<EventName, readonly (readonly [EventName, Report])[]>> = {
  'message.create': [],
  'message.sent': [['message.sent', reportSent]],
  'message.failed': [['message.failed', reportFailed]],
  'message.delivered': [
    ['message.sent', reportSent],
    ['message.delivered', (...to) => reportReceipt('delivered', ...to)],
  ],
  'message.undelivered': [
    ['message.sent', reportSent],
    ['message.undelivered', (...to) => reportReceipt('expired', ...to)],
  ],
  'message.blocked': [['message.blocked', assertBlocked]],
}

/** Parses the argument of `hook trigger`. Throws `usage`. */
export function parseTriggeredEvent(name: string): EventName {
  const names = [...Object.keys(reports), 'message.received']
  if (names.includes(name)) return name as EventName
  throw new RelayError('usage', `\`hook trigger\` cannot cause the event "${name}".`, {
    hint: `Type one of ${names.join(', ')}.`,
  })
}

/**
 * Runs `hook trigger`: creates messages to test numbers, one after the other, and reports them as a
 * phone would; changes no other message. Never throws.
 */
export async function triggerEvents(options: TriggerOptions): Promise<TriggerResult> {
  const { client, event, count, rate, blocked, signal, clock } = options
  let messages = 0
  let events = 0
  const onEvent = (caused: CausedEvent): void => {
    if (caused.event === 'message.create' || caused.event === 'message.received') messages += 1
    events += 1
    options.onEvent(caused)
  }
  let result: Pick<TriggerResult, 'reason' | 'error'> = { reason: 'count' }
  let isAdded = false
  try {
    if (event === 'message.blocked' && !(await isOnList(client, blocked, { signal }))) {
      isAdded = true
      await client.doNotText.add(blocked, { signal })
    }
    const begin = clock.monotonic()
    for (let number = 1; number <= count; number += 1) {
      const due = rate === undefined ? 0 : begin + ((number - 1) * 1000) / rate
      const wait = due - clock.monotonic()
      if (wait > 0) await clock.sleep(wait, signal)
      signal.throwIfAborted()
      await triggerOne({ ...options, onEvent }, number)
    }
  } catch (error) {
    result = signal.aborted ? { reason: 'stopped' } : { reason: 'failed', error }
  }
  const isRemoved = !isAdded || (await removeFromList(client, blocked))
  return { ...result, messages, events, ...(isRemoved ? {} : { stillBlocked: blocked }) }
}

async function triggerOne(
  { client, event, blocked, signal, onEvent }: TriggerOptions,
  number: number,
): Promise<void> {
  const text = `Test ${number} of smsrelay hook trigger`
  if (event === 'message.received') {
    const from = '+12025551212'
    const { id } = await client.receivedTexts.report({ from, message: text }, { signal })
    return onEvent({ event, received: { id }, destination: from })
  }
  const destination =
    event === 'message.blocked'
      ? blocked
      : event === 'message.failed'
        ? '+12025551213'
        : '+12025551212'
  const { id } = await client.messages.create({ destination, message: text }, { signal })
  onEvent({ event: 'message.create', message: { id }, destination })
  for (const [caused, report] of reports[event] ?? []) {
    await report(client, id, { signal })
    onEvent({ event: caused, message: { id }, destination })
  }
}

async function isOnList(
  client: RelayClient,
  number: string,
  options: CallOptions,
): Promise<boolean> {
  const entries = await client.doNotText.list(options)
  return entries.some(each => each.number === number && each.scope === 'account')
}

async function removeFromList(client: RelayClient, number: string): Promise<boolean> {
  try {
    await client.doNotText.remove(number, { signal: AbortSignal.timeout(5000) })
    return true
  } catch (error) {
    return isRelayError(error, 'not_found')
  }
}

async function reportSent(client: RelayClient, id: string, options: CallOptions): Promise<void> {
  const report = () => client.messages.reportSuccess(id, { parts: 1 }, options)
  assertStatus(await reportOrGet(client, id, options, report), 'S')
}

async function reportFailed(client: RelayClient, id: string, options: CallOptions): Promise<void> {
  const failure = { error_message: 'This test number always fails.' }
  const report = () => client.messages.reportFailure(id, failure, options)
  let message = await reportOrGet(client, id, options, report)
  for (let retries = maxAttempts; message.status === 'E' && retries > 0; retries -= 1) {
    message = await reportOrGet(client, id, options, report)
  }
  assertStatus(message, 'F')
}

async function reportReceipt(
  state: 'delivered' | 'expired',
  client: RelayClient,
  id: string,
  options: CallOptions,
): Promise<void> {
  const [result] = await client.messages.reportDelivery([{ id, state }], options)
  if (result?.status === 200) return
  throw new RelayError(
    'invalid_state',
    result?.error_description ?? `Message ${id} has no receipt.`,
  )
}

async function assertBlocked(client: RelayClient, id: string, options: CallOptions): Promise<void> {
  assertStatus(await client.messages.get(id, options), 'B')
}

/** Reports on a message; if it is final already, for example by a phone, gets it instead. */
async function reportOrGet(
  client: RelayClient,
  id: string,
  options: CallOptions,
  report: () => Promise<MessageFields>,
): Promise<MessageFields> {
  try {
    return await report()
  } catch (error) {
    if (!isRelayError(error, 'invalid_state')) throw error
    return await client.messages.get(id, options)
  }
}

function assertStatus({ id, status }: MessageFields, expected: MessageFields['status']): void {
  if (status === expected) return
  const message = `Message ${id} has the status ${status} instead of ${expected}.`
  throw new RelayError('invalid_state', message, {
    hint: 'Another program changed it. Run the command again.',
  })
}

export function formatCausedEvent(event: CausedEvent, time: string): string {
  const name = event.event.padEnd('message.received'.length)
  const destination = toOneLine(event.destination).padEnd(16)
  return `${time.slice(11, 19)}Z  ${name}  ${destination}  ${getObjectId(event) ?? ''}`
}
