import type { Message } from '../../../domain/message/message.js'
import type { PhoneService } from './phone-service.js'

type LeasedMessage = Pick<Message, 'account' | 'lease'>

/**
 * The names of phones whose leases ended without a report. Decisions of the store cannot wait, so
 * a claim leaves a message whose phone was not looked up, and is repeated with the name.
 */
export class LeaseHolders {
  readonly #phones: Pick<PhoneService, 'findName'>
  readonly #names = new Map<string, string | undefined>()
  #missing: LeasedMessage[] = []

  constructor(phones: Pick<PhoneService, 'findName'>) {
    this.#phones = phones
  }

  /** Whether the phone of a message was looked up; otherwise it will be for the next claim. */
  isKnown(message: LeasedMessage): boolean {
    if (message.lease === undefined || this.#names.has(message.lease.holder)) return true
    this.#missing.push(message)
    return false
  }

  getName({ lease }: LeasedMessage): string | undefined {
    return lease && this.#names.get(lease.holder)
  }

  async load(messages: readonly LeasedMessage[]): Promise<void> {
    for (const { account: id, lease } of messages) {
      if (lease === undefined || this.#names.has(lease.holder)) continue
      this.#names.set(lease.holder, await this.#phones.findName({ id }, lease.holder))
    }
  }

  /** Claims until a claim wants no more, or has met no phone that was not looked up. */
  async claim(claim: () => Promise<boolean>): Promise<void> {
    while (await claim()) {
      const missing = this.#missing
      if (missing.length === 0) return
      this.#missing = []
      await this.load(missing)
    }
  }
}
