import { mailboxCreate } from '../../../contract/mailbox-schema.js'
import { isOpenToAll, type Mailbox } from '../../../domain/account/mailbox.js'
import { limits } from '../../../domain/limits.js'
import { isRelayError } from '../../../errors.js'
import { getParam } from '../../http/exchange.js'
import type { ServerContext } from '../../http/server-context.js'
import {
  type CreatedMailbox,
  formatMailAddress,
  type MailboxService,
} from '../../services/messages/mailbox-service.js'
import { ActionsHeader, ConfirmButton } from '../components/confirm-button.js'
import { Button, Form } from '../components/form.js'
import { Select, TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import {
  type FieldErrors,
  parseFields,
  pickFilledFields,
  toFieldErrors,
} from '../page/field-errors.js'
import {
  getField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithError,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import { SingleUseForms, SingleUseKey } from '../page/single-use-form.js'

const path = '/mailboxes'
const fieldNames = [
  'name',
  'alias',
  'destinations',
  'senders',
  'subject',
  'hourly_limit',
  'max_length',
]

/** The e-mail addresses of the account: mail to them becomes texts. */
export function createMailboxPages({ mailboxes }: Pick<ServerContext, 'mailboxes'>): Pages {
  const used = new SingleUseForms()
  return {
    [path]: {
      GET: async request => await showListPage(request, mailboxes),
      POST: async request => await createMailbox(request, mailboxes, used),
    },
    [`${path}/:id/delete`]: {
      POST: async request => {
        try {
          await mailboxes.remove(request.account, getParam(request.http, 'id'))
        } catch (error) {
          if (!isRelayError(error, 'not_found')) throw error
          return redirectWithError(path, 'There is no such address; it may be deleted already.')
        }
        return redirectWithSuccess(path, 'The address is deleted: mail to it is refused.')
      },
    },
  }
}

async function createMailbox(
  request: PageRequest,
  mailboxes: MailboxService,
  used: SingleUseForms,
): Promise<PageResult> {
  const draft = parseFields(mailboxCreate, pickFilledFields(request.fields, fieldNames))
  if ('errors' in draft) return await showListPage(request, mailboxes, draft.errors)
  const { hourly_limit: hourly, max_length: length, ...rest } = draft.data
  try {
    const made = await used.runOnce(request, () =>
      mailboxes.create(request.account, { ...rest, hourly, length }),
    )
    if (made !== undefined) return showCreatedPage(mailboxes, made)
    const again = 'Delete it if you did not copy it, and make another.'
    return redirectWithError(
      path,
      `This form made an address already, which was shown once. ${again}`,
    )
  } catch (error) {
    return await showListPage(request, mailboxes, toFieldErrors(error))
  }
}

/** Shows the address in the reply itself: a key in it is in no cookie, in no history and on no other page. */
function showCreatedPage({ settings: setting }: MailboxService, made: CreatedMailbox): PageResult {
  const address = formatMailAddress(made, setting)
  const body = (
    <>
      <section class="once" aria-label="The e-mail address">
        {made.key === undefined ? (
          <p>Mail from the senders it names becomes texts.</p>
        ) : (
          <p>
            <strong>Copy it now: it is not shown again.</strong> It is secret: whoever knows it, and
            is one of its senders, can send texts.
          </p>
        )}
        <pre>{address}</pre>
        {made.mailbox.destinations.length === 0 && (
          <p>
            In place of <code>{'<number>'}</code> stands the number of the phone, such as
            +12025550123.
          </p>
        )}
      </section>
      {!setting.receiving && <NoMailNotice />}
      <p>
        <a href={path}>To the e-mail addresses</a>
      </p>
    </>
  )
  return showPage({ title: 'A new e-mail address', current: path, body })
}

async function showListPage(
  request: PageRequest,
  mailboxes: MailboxService,
  errors?: FieldErrors,
): Promise<PageResult> {
  const found = await mailboxes.list(request.account)
  const body = (
    <>
      <p>Mail to one of these addresses becomes a text.</p>
      {!mailboxes.settings.receiving && <NoMailNotice />}
      <MailboxTable mailboxes={found} setting={mailboxes.settings} csrf={request.csrf} />
      <h2>A new e-mail address</h2>
      <MailboxForm request={request} errors={errors} />
    </>
  )
  const status = errors === undefined ? 200 : 400
  return showPage({ title: 'E-mail addresses', current: path, body, status })
}

function NoMailNotice(): Html {
  return (
    <Notice kind="failed">
      This service takes no mail. Whoever runs it starts it with{' '}
      <code>smsrelay serve --smtp-port 2525</code> and sends the mail of a domain there; until then
      the addresses can be made, and nothing reaches them.
    </Notice>
  )
}

function MailboxTable(props: {
  readonly mailboxes: readonly Mailbox[]
  readonly setting: MailboxService['settings']
  readonly csrf: string
}): Html {
  return (
    <Table
      caption="E-mail addresses"
      head={['Name', 'Address', 'To', 'From', 'Texts', 'Made', <ActionsHeader />]}
      rows={props.mailboxes.map(mailbox => [
        mailbox.name,
        <code>{formatMailAddress({ mailbox }, props.setting)}</code>,
        mailbox.destinations.join(', ') || 'the number in the address',
        isOpenToAll(mailbox) ? 'whoever knows it' : mailbox.senders.join(', '),
        formatLimits(mailbox),
        <Time at={mailbox.createdAt} />,
        <ConfirmButton
          action={`${path}/${encodeURIComponent(mailbox.id)}/delete`}
          csrf={props.csrf}
          label="Delete"
          target={mailbox.name || formatMailAddress({ mailbox }, props.setting)}
        />,
      ])}
      empty="There is no e-mail address."
    />
  )
}

function formatLimits({ hourly, length, subject }: Mailbox): string {
  const most = hourly === undefined ? 'any number' : `${hourly} an hour`
  const cut = length === limits.text ? '' : `, ${length} characters`
  return `${most}${cut}${subject === 'first' ? ', with subject' : ''}`
}

function MailboxForm({
  request,
  errors,
}: {
  request: PageRequest
  errors: FieldErrors | undefined
}): Html {
  const typed = (name: string) => ({ name, value: getField(request, name), error: errors?.[name] })
  return (
    <Form action={path} csrf={request.csrf} label="A new e-mail address">
      {errors?.[''] !== undefined && <Notice kind="failed">{errors['']}</Notice>}
      <SingleUseKey />
      <div class="beside">
        <TextField label="Name" {...typed('name')} hint="For yourself, to know it by." />
        <TextField
          label="Alias"
          {...typed('alias')}
          hint="A name that anyone may know; it needs To and From. Empty: the address is secret."
        />
      </div>
      <div class="beside">
        <TextField
          label="To"
          {...typed('destinations')}
          hint="Numbers, with commas. Empty: the address begins with the number."
        />
        <TextField
          label="From"
          {...typed('senders')}
          hint="Addresses and @domains that may send, with commas; * is everyone. Empty: whoever knows the address."
        />
      </div>
      <div class="beside">
        <Select
          label="Subject"
          {...typed('subject')}
          options={[
            ['never', 'is left out'],
            ['first', 'begins the text'],
          ]}
        />
        <TextField
          label="Texts an hour, at most"
          {...typed('hourly_limit')}
          inputmode="numeric"
          hint="Empty: any number."
        />
        <TextField
          label="Characters of a text, at most"
          {...typed('max_length')}
          inputmode="numeric"
          hint={`The rest is cut. Empty: ${limits.text}.`}
        />
      </div>
      <Button label="Make the address" />
    </Form>
  )
}
