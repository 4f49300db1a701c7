import type { StatusClient } from '../../client/status-client.js'
import type { PhoneFields, QueueFields } from '../../contract/phone-schema.js'
import { errorText, isTransient } from '../../errors.js'
import { findWarnings, type StatusWarning } from './status-warnings.js'

/** The part of a client that a look at the relay needs. */
interface StatusReader {
  readonly url: string
  readonly status: Pick<StatusClient, 'getQueue' | 'listPhones'>
}

/** How the phones and the messages of an account are doing. */
export interface RelayStatus {
  readonly relay: { readonly url: string }
  readonly queue: QueueFields
  readonly phones: readonly PhoneFields[]
  readonly warnings: readonly StatusWarning[]
}

/** What {@link readStatus} is told. */
export interface StatusOptions {
  readonly signal: AbortSignal
  /** Milliseconds that a message may be due. */
  readonly maxAge: number
}

/** What {@link followStatus} is told. */
export interface FollowStatusOptions extends StatusOptions {
  /** Waits between two looks. */
  readonly wait: () => Promise<void>
  /** Told of a look at which the relay could not be asked. */
  readonly onFailure: (sentence: string) => void
}

/** Asks a relay. Throws RelayError. */
export async function readStatus(
  client: StatusReader,
  { signal, maxAge }: StatusOptions,
): Promise<RelayStatus> {
  const [queue, phones] = await Promise.all([
    client.status.getQueue({ signal }),
    client.status.listPhones({ signal }),
  ])
  const warnings = findWarnings(queue, phones, maxAge)
  return { relay: { url: client.url }, queue, phones, warnings }
}

/** Asks a relay again and again, until the signal; throws only where asking again is no use, or at first. */
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
