import type { MailboxReply } from '../../contract/mailbox-schema.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import type { CreatedMailbox, MailSettings } from '../services/messages/mailbox-service.js'
import { formatMailAddress } from '../services/messages/mailbox-service.js'

/** An e-mail address with its links, and its key where it was made just now (extension). */
export function toMailboxReply(
  created: CreatedMailbox,
  setting: MailSettings,
  base: string,
): MailboxReply {
  const { mailbox, key } = created
  const { id, name, alias = null, destinations, senders, subject, hourly = null } = mailbox
  const all = `${base}/api/1/mailbox`
  return {
    mailbox: {
      ...{ id, name, address: formatMailAddress(created, setting) },
      ...(key === undefined ? {} : { key }),
      ...{ alias, destinations: [...destinations], senders: [...senders], subject },
      ...{ hourly_limit: hourly, max_length: mailbox.length },
      ...{ created_on: formatDateTime(mailbox.createdAt), receiving: setting.receiving },
    },
    links: {
      list: { method: 'GET', url: all },
      new: { method: 'POST', url: all },
      delete: { method: 'DELETE', url: `${all}/${id}` },
    },
  }
}
