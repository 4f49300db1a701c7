// Phones as the relay sees them.
// - phones-page (this file) lists them, and forgets one that is no longer in use. A phone appears
//   by itself when it asks for messages, so no form creates one: the page shows the commands that
//   start it.
// - phone-page shows one phone, the messages that it holds and those that it reported.
// - phone-activity-card shows the state of a phone over the last day.
// - phone-state shows the condition and the last contact of a phone, also on the overview.
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import type { PhoneView } from '../../services/phones/phone-service.js'
import { Card, CardBody, Empty } from '../components/card.js'
import { ActionsHeader } from '../components/confirm-button.js'
import { Fragment, type Html, h } from '../components/html.js'
import { createPageQueries, Pagination, parseStart } from '../components/pagination.js'
import { Table } from '../components/table.js'
import { getPhonePath, phonesPath } from '../messages/message-path.js'
import {
  getQueryField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import { ActivityStrip } from './phone-activity-card.js'
import { createPhonePage, ForgetButton } from './phone-page.js'
import { LastContact, PhonePill, TimeOrNever } from './phone-state.js'

type Context = Pick<ServerContext, 'phones' | 'messages' | 'messageLists' | 'getBaseUrl'>

const pageSize = 100

export function createPhonePages(context: Context): Pages {
  const { phones, getBaseUrl } = context
  return {
    ...createPhonePage(context),
    [phonesPath]: {
      GET: async request =>
        showListPage(request, await phones.list(request.account), getBaseUrl(request.http)),
    },
    [`${phonesPath}/:name/forget`]: {
      POST: async ({ account, http }) => {
        const { name } = await phones.forget(account, getParam(http, 'name'))
        const text = `The phone ${name} is removed. It appears again when it requests a message.`
        return redirectWithSuccess(phonesPath, text)
      },
    },
  }
}

function showListPage(
  request: PageRequest,
  phones: readonly PhoneView[],
  base: string,
): PageResult {
  const { csrf, now, caller } = request
  const start = parseStart(getQueryField(request, 'start'))
  const body = (
    <>
      <Card label="Phones">
        <PhoneTable phones={phones.slice(start, start + pageSize)} csrf={csrf} now={now} />
        <Pagination
          label="Pages of phones"
          path={phonesPath}
          {...createPageQueries({ start, pageSize, total: phones.length })}
        />
      </Card>
      {caller.role === 'admin' && <NewPhoneCard base={base} />}
    </>
  )
  return showPage({ title: 'Phones', current: phonesPath, isLive: true, body })
}

/** Only admins see the keys with which a phone signs in. */
function NewPhoneCard({ base }: { readonly base: string }): Html {
  return (
    <Card title="Add a phone">
      <CardBody>
        <p>
          Sign in on the computer of the phone, with <a href="/settings/keys">your keys</a>, and
          start a phone there. It then appears in the list. This one only simulates sending; other
          drivers are listed by <code>smsrelay phone --help</code>.
        </p>
        <PhoneCommands base={base} />
      </CardBody>
    </Card>
  )
}

export function PhoneCommands({ base }: { readonly base: string }): Html {
  return <pre class="shell">{`smsrelay login --url ${base}\nsmsrelay phone --driver simulate`}</pre>
}

function PhoneTable(props: {
  readonly phones: readonly PhoneView[]
  readonly csrf: string
  readonly now: number
}): Html {
  return (
    <Table
      caption="Phones"
      head={[
        'Phone',
        'Driver',
        'State',
        'Last 24 hours',
        'Last contact',
        'Last sent',
        'Last failed',
        <ActionsHeader />,
      ]}
      rows={props.phones.map(phone => [
        <a href={getPhonePath(phone.name)}>{phone.name}</a>,
        phone.driver,
        <PhonePill phone={phone} />,
        <ActivityStrip phone={phone} now={props.now} />,
        <LastContact phone={phone} />,
        <TimeOrNever at={phone.lastSuccessAt} />,
        <TimeOrNever at={phone.lastFailureAt} />,
        phone.silent && <ForgetButton name={phone.name} csrf={props.csrf} />,
      ])}
      empty={
        <Empty icon="phone" title="No phones yet">
          A phone appears here when it requests its first message.
        </Empty>
      }
    />
  )
}
