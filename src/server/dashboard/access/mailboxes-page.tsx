import { isOpenToAll } from '../../../domain/account/mailbox.js'
import { limits } from '../../../domain/limits.js'
import { type Mailbox, mailbox } from '../../../resources/mailbox.js'
import type { ServerContext } from '../../http/server-context.js'
import { formatMailAddress, type MailboxService } from '../../services/messages/mailbox-service.js'
import type { Created } from '../../services/resource-service.js'
import { Card, CardBody } from '../components/card.js'
import { Actions, ButtonLink } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { Secret } from '../components/secret.js'
import { type PageResult, type Pages, showPage } from '../page/page.js'
import { createResourcePages } from '../resources/resource-pages.js'

const { path } = mailbox.page

export function createMailboxPages({ mailboxes }: Pick<ServerContext, 'mailboxes'>): Pages {
  return createResourcePages(mailbox, mailboxes, {
    notice: () => !mailboxes.settings.receiving && <NoMailNotice />,
    created: created => showCreatedPage(mailboxes, created),
    nameOf: ({ record, said }) => record.name || String(said.address),
    cells: {
      name: ({ record }) => record.name || 'Without a name',
      address: ({ said }) => <code>{String(said.address)}</code>,
      destinations: ({ record }) => record.destinations.join(', ') || 'number in the address',
      senders: ({ record }) =>
        isOpenToAll(record) ? 'anyone who knows the address' : record.senders.join(', '),
      limits: ({ record }) => formatLimits(record),
    },
  })
}

function showCreatedPage(
  { settings }: MailboxService,
  created: Created<typeof mailbox>,
): PageResult {
  const address = formatMailAddress(created, settings)
  const body = (
    <>
      <Card title="The address of the mailbox" id="once" isOnce>
        <CardBody>
          {created.key === undefined ? (
            <p>Mail from the allowed senders becomes texts.</p>
          ) : (
            <p>
              <strong>Copy the address now. This page is shown for ten minutes.</strong> It is a
              secret: anyone who knows it and is an allowed sender can send texts.
            </p>
          )}
          <Secret id="address" label="Address" value={address} />
          {created.record.destinations.length === 0 && (
            <p>
              Replace <code>{'<number>'}</code> with the number of the recipient, such as
              +12025550123.
            </p>
          )}
          <Actions>
            <ButtonLink href={path} label="Back to the mailboxes" />
          </Actions>
        </CardBody>
      </Card>
      {!settings.receiving && <NoMailNotice />}
    </>
  )
  return showPage({
    title: 'New mailbox',
    current: path,
    parent: { path, label: 'E-mail to text' },
    body,
  })
}

function NoMailNotice(): Html {
  return (
    <Notice kind="warning" title="This relay does not receive mail">
      To receive it, start <code>smsrelay serve --smtp-port 2525</code> and route the mail of a
      domain to it. You can already create mailboxes.
    </Notice>
  )
}

function formatLimits({ hourly, length, subject }: Mailbox): string {
  const rate = hourly === undefined ? 'no limit' : `${hourly} texts an hour`
  const maxLength = length === limits.text ? '' : `, ${length} characters`
  return `${rate}${maxLength}${subject === 'first' ? ', with subject' : ''}`
}
