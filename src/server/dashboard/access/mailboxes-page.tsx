import { isOpenToAll, type Mailbox } from '../../../domain/account/mailbox.js'
import { limits } from '../../../domain/limits.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import {
  type CreatedMailbox,
  formatMailAddress,
  type MailboxService,
} from '../../services/messages/mailbox-service.js'
import { Card, CardBody, Empty } from '../components/card.js'
import { ActionsHeader, ConfirmButton } from '../components/confirm-button.js'
import { Actions, ButtonLink, FormLink } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { createKeyedPage, Pagination, readPageKey } from '../components/pagination.js'
import { Secret } from '../components/secret.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { createDeleteHandler } from '../forms/edit-frame.js'
import { type FieldErrors, toFieldErrors } from '../page/field-errors.js'
import {
  getQueryField,
  type PageRequest,
  type PageResult,
  type Pages,
  showPage,
} from '../page/page.js'
import { MailboxForm, parseMailboxForm } from './mailbox-form.js'

const path = '/mailboxes'
const pageSize = 100

export function createMailboxPages({ mailboxes }: Pick<ServerContext, 'mailboxes'>): Pages {
  return {
    [path]: {
      GET: async request => await showListPage(request, mailboxes),
      POST: async request => await createMailbox(request, mailboxes),
    },
    [`${path}/:id/delete`]: {
      POST: createDeleteHandler(
        path,
        {
          done: 'The mailbox is deleted. Mail to its address is rejected.',
          gone: 'There is no such mailbox. It may already be deleted.',
        },
        async ({ account, http }) => await mailboxes.remove(account, getParam(http, 'id')),
      ),
    },
  }
}

async function createMailbox(request: PageRequest, mailboxes: MailboxService): Promise<PageResult> {
  const draft = parseMailboxForm(request)
  if ('errors' in draft) return await showListPage(request, mailboxes, draft.errors)
  const { hourly_limit: hourly, max_length: length, ...rest } = draft.data
  try {
    const created = await mailboxes.create(request.account, { ...rest, hourly, length })
    return showCreatedPage(mailboxes, created)
  } catch (error) {
    return await showListPage(request, mailboxes, toFieldErrors(error))
  }
}

function showCreatedPage({ settings }: MailboxService, created: CreatedMailbox): PageResult {
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
          {created.mailbox.destinations.length === 0 && (
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

async function showListPage(
  request: PageRequest,
  mailboxes: MailboxService,
  errors?: FieldErrors,
): Promise<PageResult> {
  const after = readPageKey(getQueryField(request, 'after'))
  const found = await mailboxes.getPage(request.account, { count: pageSize + 1, after })
  const { items, ...links } = createKeyedPage(found, { after, pageSize })
  const body = (
    <>
      {!mailboxes.settings.receiving && <NoMailNotice />}
      <Card label="Mailboxes">
        <MailboxTable mailboxes={items} settings={mailboxes.settings} csrf={request.csrf} />
        <Pagination label="Pages of mailboxes" path={path} previousLabel="First page" {...links} />
      </Card>
      <Card title="New mailbox">
        <MailboxForm action={path} request={request} errors={errors} />
      </Card>
    </>
  )
  const lead = 'A mailbox is an e-mail address. Mail to it becomes texts.'
  const status = errors === undefined ? 200 : 400
  const actions = <FormLink id="new-mailbox" label="New mailbox" />
  return showPage({ title: 'E-mail to text', current: path, lead, actions, body, status })
}

function NoMailNotice(): Html {
  return (
    <Notice kind="warning" title="This relay does not receive mail">
      To receive it, start <code>smsrelay serve --smtp-port 2525</code> and route the mail of a
      domain to it. You can already create mailboxes.
    </Notice>
  )
}

function MailboxTable(props: {
  readonly mailboxes: readonly Mailbox[]
  readonly settings: MailboxService['settings']
  readonly csrf: string
}): Html {
  return (
    <Table
      caption="Mailboxes"
      head={['Name', 'Address', 'To', 'From', 'Limits', 'Created', <ActionsHeader />]}
      rows={props.mailboxes.map(mailbox => [
        mailbox.name || 'Without a name',
        <code>{formatMailAddress({ mailbox }, props.settings)}</code>,
        mailbox.destinations.join(', ') || 'number in the address',
        isOpenToAll(mailbox) ? 'anyone who knows the address' : mailbox.senders.join(', '),
        formatLimits(mailbox),
        <Time at={mailbox.createdAt} />,
        <ConfirmButton
          action={`${path}/${encodeURIComponent(mailbox.id)}/delete`}
          csrf={props.csrf}
          label="Delete"
          target={mailbox.name || formatMailAddress({ mailbox }, props.settings)}
        />,
      ])}
      empty={
        <Empty icon="mail" title="No mailboxes yet">
          Create one below. Mail to its address becomes texts.
        </Empty>
      }
    />
  )
}

function formatLimits({ hourly, length, subject }: Mailbox): string {
  const rate = hourly === undefined ? 'no limit' : `${hourly} texts an hour`
  const maxLength = length === limits.text ? '' : `, ${length} characters`
  return `${rate}${maxLength}${subject === 'first' ? ', with subject' : ''}`
}
