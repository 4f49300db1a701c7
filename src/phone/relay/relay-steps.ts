import type { MessageFields } from '../../contract/message-schema.js'
import { limits } from '../../domain/limits.js'
import { type ErrorCode, errorCodes, RelayError } from '../../errors.js'
import type { PhoneClient } from './phone-client.js'

export interface PhoneReport {
  readonly id: string
  readonly idempotency_key?: string
  readonly parts?: number
  readonly error?: string
  readonly outcome?: 'failed' | 'unknown'
  readonly release?: true
  readonly reason?: string
  /** Seconds until a released message is due again. */
  readonly retry_after?: number
}

export interface StepResult {
  readonly message?: MessageFields | undefined
  readonly error?: RelayError
}

interface ClaimOptions {
  /** Messages to claim at most, 1 to 1,000. */
  readonly count: number
  /** Seconds. */
  readonly wait: number
  readonly signal: AbortSignal
}

type StepOptions = { readonly signal: AbortSignal }

export class RelaySteps {
  readonly #client: PhoneClient
  #claim = 0
  #lease: number | undefined

  constructor(client: PhoneClient) {
    this.#client = client
  }

  /** Milliseconds for which the relay leases a message; undefined if it has not said that. */
  get lease(): number | undefined {
    return this.#lease
  }

  async claim({ count, wait, signal }: ClaimOptions): Promise<readonly MessageFields[]> {
    const options = { batch: count, since: this.#claim, wait, signal }
    const batch = await this.#client.messages.nextBatch(options)
    if (batch === undefined) return []
    if (batch.claim === undefined) throw noBatchesError()
    this.#claim = batch.claim
    this.#lease = batch.lease === undefined ? undefined : batch.lease * 1000
    return batch.messages
  }

  /**
   * Reports outcomes and releases; one result for each, in order. Throws RelayError if the relay
   * cannot be reached or rejects the keys.
   */
  async report(
    outcomes: readonly PhoneReport[],
    options: StepOptions,
  ): Promise<readonly StepResult[]> {
    return await this.#reportBatch(outcomes, options)
  }

  async renew(ids: readonly string[], options: StepOptions): Promise<readonly StepResult[]> {
    const renewals = ids.map(id => ({ id, renew: true }) as const)
    return await this.#reportBatch(renewals, options)
  }

  /** Asks for the current state of a message. Throws RelayError. */
  async get(id: string, options: StepOptions): Promise<MessageFields> {
    return await this.#client.messages.get(id, options)
  }

  async #reportBatch(
    outcomes: readonly PhoneReport[],
    options: StepOptions,
  ): Promise<readonly StepResult[]> {
    const results: StepResult[] = []
    for (let start = 0; start < outcomes.length; start += limits.messageBatch) {
      const some = outcomes.slice(start, start + limits.messageBatch)
      const given = await this.#client.messages.report(some, { minimal: true, ...options })
      if (given.length !== some.length) {
        throw new RelayError('invalid_reply', 'The relay did not answer to each report.')
      }
      results.push(...given.map(toStepResult))
    }
    return results
  }
}

function noBatchesError(): RelayError {
  return new RelayError('configuration', 'The relay does not give messages in batches.', {
    hint: 'A phone needs smsrelay as its relay: check the address in --relay.',
  })
}

function toStepResult({
  status,
  message,
  error = 'invalid_reply',
  error_description: description,
}: {
  readonly status: number
  readonly message?: MessageFields | undefined
  readonly error?: string | undefined
  readonly error_description?: string | undefined
}): StepResult {
  if (status >= 200 && status <= 299) return { message }
  const code = Object.hasOwn(errorCodes, error) ? (error as ErrorCode) : 'invalid_reply'
  return { error: new RelayError(code, description ?? `The relay answered with ${status}.`) }
}
