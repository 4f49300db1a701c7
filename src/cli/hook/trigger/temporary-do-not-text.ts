import type { DoNotTextClient } from '../../../client/do-not-text-client.js'
import type { CallOptions } from '../../../client/transport.js'
import { isRelayError } from '../../../errors.js'

/** The part of a client that keeping a number blocked needs. */
export interface DoNotTextApi {
  readonly doNotText: Pick<DoNotTextClient, 'list' | 'add' | 'remove'>
}

const removeTimeout = 5000

/** A number that is on the account's Do Not Text list for a while; one that was there before stays there. */
export class TemporaryDoNotText {
  readonly number: string
  readonly #client: DoNotTextApi
  #state: 'unknown' | 'theirs' | 'ours' = 'unknown'

  constructor(client: DoNotTextApi, number: string) {
    this.#client = client
    this.number = number
  }

  /** Sees to it that the number is listed. */
  async add(call: CallOptions): Promise<void> {
    if (this.#state !== 'unknown') return
    const entries = await this.#client.doNotText.list(call)
    const there = entries.some(each => each.number === this.number && each.scope === 'account')
    this.#state = there ? 'theirs' : 'ours'
    if (!there) await this.#client.doNotText.add(this.number, call)
  }

  /** Takes the number off the list if it was not there before; resolves to whether it could not. */
  async remove(): Promise<boolean> {
    if (this.#state !== 'ours') return false
    this.#state = 'unknown'
    try {
      const signal = AbortSignal.timeout(removeTimeout)
      await this.#client.doNotText.remove(this.number, { signal })
    } catch (error) {
      return !isRelayError(error, 'not_found')
    }
    return false
  }
}
