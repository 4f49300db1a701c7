import {
  type CreatedMailboxFields,
  type MailboxCreateInput,
  type MailboxFields,
  mailboxIdReply,
  mailboxListReply,
  mailboxReply,
} from '../contract/mailbox-schema.js'
import type { CallOptions } from './call-options.js'
import type { Transport } from './transport.js'

/** The account's mailboxes, one method a route (extension). */
export class MailboxClient {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** GET /mailbox: all mailboxes, without their keys. */
  async list(options: CallOptions = {}): Promise<MailboxFields[]> {
    const pages = await this.#transport.readPages('/mailbox', mailboxListReply, options)
    return pages.flatMap(page => page.mailboxes.map(each => each.mailbox))
  }

  /** POST /mailbox: creates a mailbox; only this reply has its key. */
  async create(
    draft: MailboxCreateInput,
    options: CallOptions = {},
  ): Promise<CreatedMailboxFields> {
    const call = { json: draft, ...options }
    return (await this.#transport.call('POST', '/mailbox', mailboxReply, call)).mailbox
  }

  /** DELETE /mailbox/<id>: rejects mail to the address from now on. */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    const path = `/mailbox/${encodeURIComponent(id)}`
    await this.#transport.call('DELETE', path, mailboxIdReply, options)
  }
}
