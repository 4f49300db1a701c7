import type { MailboxCreateInput } from '../contract/mailbox-schema.js'
import {
  type CreatedMailboxFields,
  type MailboxFields,
  mailboxIdReply,
  mailboxListReply,
  mailboxReply,
} from '../contract/mailbox-schema.js'
import type { CallOptions } from './api-client.js'
import { StatusClient } from './status-client.js'

/** The part of the interface that is about e-mail addresses, one method a route (extension). */
export class MailboxClient extends StatusClient {
  /** GET /mailbox: the e-mail addresses of the account (extension). */
  async listMailboxes(options: CallOptions = {}): Promise<MailboxFields[]> {
    const reply = await this.transport.call('GET', '/mailbox', mailboxListReply, options)
    return reply.mailboxes.map(each => each.mailbox)
  }

  /** POST /mailbox: makes an address; its key is told this once (extension). */
  async createMailbox(
    draft: MailboxCreateInput,
    options: CallOptions = {},
  ): Promise<CreatedMailboxFields> {
    const call = { json: draft, ...options }
    return (await this.transport.call('POST', '/mailbox', mailboxReply, call)).mailbox
  }

  /** DELETE /mailbox/<id>: mail to the address is refused from now on (extension). */
  async deleteMailbox(id: string, options: CallOptions = {}): Promise<void> {
    const path = `/mailbox/${encodeURIComponent(id)}`
    await this.transport.call('DELETE', path, mailboxIdReply, options)
  }
}
