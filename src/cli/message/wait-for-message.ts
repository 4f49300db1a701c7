import { setTimeout as delay } from 'node:timers/promises'
import type { MessageClient } from '../../client/message-client.js'
import type { MessageFields } from '../../contract/message-schema.js'
import type { Status } from '../../domain/message/message.js'
import { isRelayError, isTransient, RelayError } from '../../errors.js'
import { runWithSignal } from '../../util/async/abort.js'

/** The part of a client that waiting needs. */
interface MessageReader {
  readonly messages: Pick<MessageClient, 'get'>
}

/** How to wait. */
export interface WaitOptions {
  readonly signal: AbortSignal
  /** Milliseconds; for ever when left out. */
  readonly timeout?: number | undefined
  /** Milliseconds between two looks. @default 500 */
  readonly interval?: number
  /** Looks in a row that may fail, such as while the service restarts. @default 20 */
  readonly maxFailures?: number
}

const finalStatuses: readonly Status[] = ['S', 'F', 'B', 'D']

/**
 * Looks at a message until it is final; a message that is gone was deleted. Throws `timed_out` with the
 * message's id, and the abort reason of `signal`.
 */
export async function waitUntilFinal(
  client: MessageReader,
  message: MessageFields,
  options: WaitOptions,
): Promise<MessageFields> {
  const late = new AbortController()
  const timer =
    options.timeout === undefined ? undefined : setTimeout(() => late.abort(), options.timeout)
  let last = message
  try {
    return await runWithSignal([options.signal, late.signal], async signal => {
      for await (last of pollMessage(client, message, { ...options, signal })) {
        // Until it is final.
      }
      return last
    })
  } catch (error) {
    options.signal.throwIfAborted()
    throw late.signal.aborted ? timedOutError(last, options.timeout ?? 0) : error
  } finally {
    clearTimeout(timer)
  }
}

/** The message as it is at each look, until it is final. */
async function* pollMessage(
  client: MessageReader,
  message: MessageFields,
  { signal, interval = 500, maxFailures: patience = 20 }: WaitOptions,
): AsyncGenerator<MessageFields> {
  let last = message
  let failures = 0
  while (!finalStatuses.includes(last.status)) {
    await delay(interval, undefined, { signal })
    try {
      last = await getMessageOrDeleted(client, last, signal)
      failures = 0
      yield last
    } catch (error) {
      failures += 1
      if (signal.aborted || !isTransient(error) || failures > patience) throw error
    }
  }
}

async function getMessageOrDeleted(
  client: MessageReader,
  last: MessageFields,
  signal: AbortSignal,
): Promise<MessageFields> {
  try {
    return await client.messages.get(last.id, { signal })
  } catch (error) {
    if (isRelayError(error, 'not_a_message')) return { ...last, status: 'D' }
    throw error
  }
}

function timedOutError(message: MessageFields, timeout: number): RelayError {
  return new RelayError(
    'timed_out',
    `Message ${message.id} was not final after ${timeout / 1000} s; its status is ${message.status}.`,
    { hint: `See \`smsrelay message get ${message.id}\`.` },
  )
}
