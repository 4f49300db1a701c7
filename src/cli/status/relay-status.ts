// The command `status`:
//
// 1. `relay-status` reads the queue, the phones and the problems of an account, once or repeatedly.
// 2. `status-warnings` finds problems in them: no phone, a silent phone, an overdue message.
// 3. `status-view` formats queue, phones and warnings for people.
//
// `phone-condition` converts the wire fields of a phone for the rules in `domain/phone`.
import type { StatusClient } from '../../client/status-client.js'
import type { PhoneFields, QueueFields } from '../../contract/phone-schema.js'
import type { DeliveryLogFields } from '../../contract/status-schema.js'
import { errorText, isTransient } from '../../errors.js'
import { findWarnings, type StatusWarning } from './status-warnings.js'

interface StatusReader {
  readonly url: string
  readonly status: Pick<StatusClient, 'getQueue' | 'getStatus' | 'listPhones'>
}

export interface RelayStatus {
  readonly relay: { readonly url: string }
  readonly queue: QueueFields
  readonly phones: readonly PhoneFields[]
  readonly delivery_log?: DeliveryLogFields
  readonly warnings: readonly StatusWarning[]
}

export interface StatusOptions {
  readonly signal: AbortSignal
  /** Milliseconds that a message may be due without a warning of `status`. */
  readonly maxAge: number
}

export interface FollowStatusOptions extends StatusOptions {
  readonly wait: () => Promise<void>
  readonly onFailure: (message: string) => void
}

export async function readStatus(
  client: StatusReader,
  { signal, maxAge }: StatusOptions,
): Promise<RelayStatus> {
  const [queue, phones, { problems, delivery_log: deliveryLog }] = await Promise.all([
    client.status.getQueue({ signal }),
    client.status.listPhones({ signal }),
    client.status.getStatus({ signal }),
  ])
  const warnings = [...problems, ...findWarnings(queue, phones, maxAge)]
  const log = deliveryLog === undefined ? {} : { delivery_log: deliveryLog }
  return { relay: { url: client.url }, queue, phones, ...log, warnings }
}

/**
 * Reads the relay's status for `status --watch` until the signal is aborted. After the first time,
 * skips transient errors.
 */
export async function* followStatus(
  client: StatusReader,
  options: FollowStatusOptions,
): AsyncGenerator<RelayStatus> {
  yield await readStatus(client, options)
  for (;;) {
    await options.wait()
    if (options.signal.aborted) return
    try {
      yield await readStatus(client, options)
    } catch (error) {
      if (options.signal.aborted) return
      if (!isTransient(error)) throw error
      options.onFailure(errorText(error))
    }
  }
}
