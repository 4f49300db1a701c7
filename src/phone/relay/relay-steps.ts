import type { MessageFields } from '../../contract/message-schema.js'
import { limits } from '../../domain/limits.js'
import { type ErrorCode, errorCodes, isRelayError, RelayError } from '../../errors.js'
import type { PhoneClient } from './phone-client.js'
import { classifyRelayError } from './relay-error.js'

/** What the phone reports about one message: its outcome, or that it was not sent. */
export interface PhoneReport {
  readonly id: string
  readonly idempotency_key?: string
  readonly parts?: number
  readonly error?: string
  readonly outcome?: 'failed' | 'unknown'
  readonly release?: true
  readonly reason?: string
}

/** The relay's answer about one message: the message, or an error. */
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

/**
 * The phone's requests to its relay: in batches, or in single steps at a relay without
 * batches. There a token holds one message, and NEXT gives that again.
 */
export class RelaySteps {
  readonly #client: PhoneClient
  #isSingle: boolean | undefined
  #claim = 0
  #lease: number | undefined
  /** A message that NEXT gave instead of the one whose lease was to be renewed. */
  #other: MessageFields | undefined

  constructor(client: PhoneClient) {
    this.#client = client
  }

  /** Whether the relay knows no batches; false until it has shown that. */
  get isSingle(): boolean {
    return this.#isSingle === true
  }

  /** Milliseconds for which the relay leases a message; undefined if it has not said that. */
  get lease(): number | undefined {
    return this.#lease
  }

  async claim({ count, wait, signal }: ClaimOptions): Promise<readonly MessageFields[]> {
    const other = this.#other
    this.#other = undefined
    if (other !== undefined) return [other]
    const options = { batch: count, since: this.#claim, wait, signal }
    const batch = await this.#client.messages.nextBatch(options)
    if (batch === undefined) return []
    this.#isSingle = batch.claim === undefined
    this.#claim = batch.claim ?? 0
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
    if (this.isSingle) return await this.#reportSingly(outcomes, options)
    try {
      return await this.#reportBatch(outcomes, options)
    } catch (error) {
      if (!isMissingRoute(error)) throw error
      this.#isSingle = true
      return await this.#reportSingly(outcomes, options)
    }
  }

  /** Renews the leases of messages; an error means that the phone does not hold the message. */
  async renew(ids: readonly string[], options: StepOptions): Promise<readonly StepResult[]> {
    const renewals = ids.map(id => ({ id, renew: true }) as const)
    return await this.#reportBatch(renewals, options)
  }

  /** Asks for the current state of a message. Throws RelayError. */
  async get(id: string, options: StepOptions): Promise<MessageFields> {
    return await this.#client.messages.get(id, options)
  }

  /**
   * Renews the lease of a message that was not sent yet. NEXT does that at a relay of an older
   * version; a message that NEXT does not give may not be sent now.
   */
  async renewSingly(id: string, { signal }: StepOptions): Promise<MessageFields | undefined> {
    const message = await this.#client.messages.next({ signal })
    if (message?.id === id) return message
    this.#other = message
    return undefined
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

  async #reportSingly(
    outcomes: readonly PhoneReport[],
    options: StepOptions,
  ): Promise<readonly StepResult[]> {
    return await mapInTurn(outcomes, async outcome => await this.#reportOne(outcome, options))
  }

  async #reportOne(
    { id, idempotency_key, parts, error, outcome, reason }: PhoneReport,
    { signal }: StepOptions,
  ): Promise<MessageFields> {
    const { messages } = this.#client
    const keyed = { signal, ...(idempotency_key && { idempotencyKey: idempotency_key }) }
    if (parts !== undefined) return await messages.reportSuccess(id, { parts }, keyed)
    if (error === undefined) {
      return await messages.release(id, reason === undefined ? {} : { reason }, { signal })
    }
    const failure = { error_message: error, outcome: outcome ?? 'failed' } as const
    return await messages.reportFailure(id, failure, keyed)
  }
}

/** Whether the relay has no such route, because it is of an older version. */
export function isMissingRoute(error: unknown): boolean {
  return isRelayError(error, 'not_found') || isRelayError(error, 'method_not_allowed')
}

async function mapInTurn<T>(
  items: readonly T[],
  run: (item: T) => Promise<MessageFields>,
): Promise<readonly StepResult[]> {
  const results: StepResult[] = []
  for (const item of items) {
    try {
      results.push({ message: await run(item) })
    } catch (error) {
      if (classifyRelayError(error) !== 'refused' || !isRelayError(error)) throw error
      results.push({ error })
    }
  }
  return results
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
