import type { Account } from '../../../domain/account/account.js'
import { applyReceipt, type PartReceipt } from '../../../domain/message/delivery-status.js'
import type { Message } from '../../../domain/message/message.js'
import type { BatchResult } from '../../../domain/message/message-batch.js'
import { requireMessage } from '../messages/require-message.js'
import type { ServiceContext } from '../service-context.js'

export interface MessageReceipt extends PartReceipt {
  readonly id: string
}

export class ReceiptService {
  readonly #context: ServiceContext

  constructor(context: ServiceContext) {
    this.#context = context
  }

  /** Applies receipts in order and in one commit. An invalid one has no effect on the others. */
  async report(account: Account, receipts: readonly MessageReceipt[]): Promise<BatchResult[]> {
    const now = this.#context.clock.now()
    const changes = receipts.map(({ id, ...receipt }) => ({
      account: account.id,
      id,
      decide: (current: Message | undefined) =>
        applyReceipt(requireMessage(current, id), receipt, now),
    }))
    return await this.#context.store.messages.changeAll(changes)
  }
}
