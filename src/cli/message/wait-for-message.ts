import type { MessageClient } from '../../client/message-client.js'
import type { MessageFields } from '../../contract/message-schema.js'
import type { Status } from '../../domain/message/message.js'
import { isRelayError, isTransient, RelayError } from '../../errors.js'
import { runWithSignal } from '../../util/async/abort.js'
import type { Clock } from '../../util/async/clock.js'

type MessageReader = { readonly messages: Pick<MessageClient, 'get'> }

export interface WaitOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Milliseconds that the command waits for the message. @default no limit */
  readonly timeout?: number | undefined
  readonly interval?: number
  /**
   * Consecutive transient failures after which the command stops waiting for the message. @default
   * 20
   */
  readonly maxFailures?: number
  /** Whether to wait for the delivery status of a sent message, too. @default false */
  readonly delivery?: boolean
  readonly onFailure?: (message: MessageFields) => void
}

const finalStatuses: readonly Status[] = ['S', 'F', 'B', 'D']

/**
 * Polls a message for `--wait` until it is final; one that no longer exists counts as deleted.
 * Throws `timed_out` with the message's id, and the reason of `signal` when that is aborted.
 */
export async function waitUntilFinal(
  client: MessageReader,
  message: MessageFields,
  options: WaitOptions,
): Promise<MessageFields> {
  const { clock, timeout, interval = 500, maxFailures = 20, delivery = false } = options
  const timeoutAbort = new AbortController()
  const cancel =
    timeout === undefined ? undefined : clock.after(timeout, () => timeoutAbort.abort())
  let last = message
  let failures = 0
  try {
    await runWithSignal([options.signal, timeoutAbort.signal], async signal => {
      while (!isSettled(last, delivery)) {
        await clock.sleep(interval, signal)
        signal.throwIfAborted()
        try {
          const before = last.failure_count
          last = await getMessageOrDeleted(client, last, signal)
          if (last.status === 'E' && last.failure_count > before) options.onFailure?.(last)
          failures = 0
        } catch (error) {
          failures += 1
          if (signal.aborted || !isTransient(error) || failures > maxFailures) throw error
        }
      }
    })
    return last
  } catch (error) {
    options.signal.throwIfAborted()
    if (timeoutAbort.signal.aborted) throw timedOutError(last, timeout ?? 0)
    throw isRelayError(error) ? error.copyWith({ fields: { id: last.id } }) : error
  } finally {
    cancel?.()
  }
}

function isSettled({ status, delivery }: MessageFields, hasDelivery: boolean): boolean {
  if (!hasDelivery || status !== 'S') return finalStatuses.includes(status)
  return delivery !== undefined && delivery.state !== 'pending'
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

function timedOutError({ id, status, delivery }: MessageFields, timeout: number): RelayError {
  const missing = status === 'S' ? 'has no final receipt' : 'is not final'
  const state = delivery === undefined ? status : `${status}, ${delivery.state}`
  const text = `Message ${id} ${missing} after ${timeout / 1000} s; its status is ${state}.`
  const hint = `See \`smsrelay message get ${id}\`.`
  return new RelayError('timed_out', text, { hint, fields: { id } })
}
