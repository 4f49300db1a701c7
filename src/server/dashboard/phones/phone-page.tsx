import { explainFailure } from '../../../domain/message/failure-reason.js'
import { type Message, maxAttempts } from '../../../domain/message/message.js'
import { RelayError } from '../../../errors.js'
import { formatCount } from '../../../util/text/plural.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import type { PhoneCounts } from '../../services/messages/message-list-service.js'
import type { PhoneView } from '../../services/phones/phone-service.js'
import { Card, CardBody } from '../components/card.js'
import { ActionButton } from '../components/form.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { buildLink } from '../components/pagination.js'
import { DeliveryPill, MessagePill } from '../components/pill.js'
import { Facts, Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { bulkPath } from '../message-list/bulk-bar.js'
import { getMessagePath, getPhonePath, phonesPath } from '../messages/message-path.js'
import { type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
import { ActivityCard } from './phone-activity-card.js'
import { LastContact, PhonePill, TimeOrNever } from './phone-state.js'

type Context = Pick<ServerContext, 'phones' | 'messages' | 'messageLists'>

/** Messages that the page of a phone shows, and those among which it looks for them. */
const maxShown = 20
const maxSearched = 500

export function createPhonePage({ phones, messages, messageLists }: Context): Pages {
  return {
    [`${phonesPath}/:name`]: {
      GET: async request => {
        const { account, http } = request
        const name = getParam(http, 'name')
        const page = { filter: 'all', start: 0, count: maxSearched, order: 'desc' } as const
        const [phone, found, counts] = await Promise.all([
          phones.find(account, name),
          messages.search(account, page, { phone: name }, maxShown),
          messageLists.countOfPhone(account, name),
        ])
        if (phone === undefined && found.messages.length === 0) throw phoneNotFoundError(name)
        const holder = phone?.holder
        const held =
          holder === undefined ? [] : await messageLists.listHeld(account, holder, maxShown + 1)
        return showPhonePage(request, { name, phone, counts, held, messages: found.messages })
      },
    },
  }
}

function phoneNotFoundError(name: string): RelayError {
  const text = `There is no phone ${name}; the page Phones lists the phones of this account.`
  return new RelayError('not_found', text)
}

interface ShownPhone {
  readonly name: string
  readonly phone: PhoneView | undefined
  readonly counts: PhoneCounts
  readonly held: readonly Message[]
  readonly messages: readonly Message[]
}

function showPhonePage(
  { csrf, now, http, account }: PageRequest,
  { name, phone, counts, held, messages }: ShownPhone,
): PageResult {
  const reports = <ReportsCard {...{ name, messages, now, csrf }} />
  const body =
    phone === undefined ? (
      <>
        <Notice kind="warning" title="This phone is not in the list of phones">
          It was removed, or it has not been seen for 30 days. It appears again when it requests a
          message.
        </Notice>
        {reports}
      </>
    ) : (
      <div class="columns">
        <div>
          <ActivityCard phone={phone} now={now} http={http} account={account} />
          <HeldCard name={name} messages={held} />
          {reports}
        </div>
        <div>
          <PhoneFacts phone={phone} counts={counts} />
        </div>
      </div>
    )
  return showPage({
    title: `Phone ${name}`,
    current: phonesPath,
    parent: { path: phonesPath, label: 'Phones' },
    state: phone && <PhonePill phone={phone} />,
    actions: phone?.silent && <ForgetButton name={name} csrf={csrf} />,
    isLive: true,
    body,
  })
}

export function ForgetButton({ name, csrf }: { readonly name: string; csrf: string }): Html {
  return (
    <ActionButton
      action={`${getPhonePath(name)}/forget`}
      csrf={csrf}
      label="Forget"
      variant="secondary"
      title={`Forget the phone ${name}`}
    />
  )
}

function PhoneFacts(props: { readonly phone: PhoneView; readonly counts: PhoneCounts }): Html {
  const { phone, counts } = props
  const facts: readonly (readonly [Child, Child])[] = [
    ['Driver', phone.driver],
    ['Last contact', <LastContact phone={phone} />],
    ['First request', <TimeOrNever at={phone.firstNextAt} />],
    ['Last sent', <TimeOrNever at={phone.lastSuccessAt} />],
    ['Last failed', <TimeOrNever at={phone.lastFailureAt} />],
    ['Last 24 hours', formatCounts(counts)],
    ...listNetwork(phone),
  ]
  return (
    <Card title="Details">
      <CardBody>
        <Facts items={facts} />
      </CardBody>
    </Card>
  )
}

/** What the phone reported about its network; nothing if it reported nothing. */
function listNetwork({ network }: PhoneView): [Child, Child][] {
  if (network === undefined) return []
  const { signal, operator, rate, at } = network
  const facts: [string, string | undefined][] = [
    ['Maximum rate', rate],
    ['Signal', signal],
    ['Operator', operator],
  ]
  const known = facts.filter(([, value]) => value !== undefined)
  return [...known, ['Reported', <Time at={at} />]]
}

/** The messages that a phone has now: it has claimed them and not reported on them. */
function HeldCard(props: { readonly name: string; readonly messages: readonly Message[] }): Html {
  const { name, messages } = props
  const shown = messages.slice(0, maxShown)
  const count = `${shown.length < messages.length ? 'more than ' : ''}${shown.length}`
  return (
    <Card title="With this phone" id="held" aside={<span class="quiet small">{count}</span>}>
      <Table
        caption={`Messages that ${name} has now`}
        head={['To', 'Text', 'Attempt', 'Due again']}
        rows={shown.map(message => [
          <a href={getMessagePath(message.id)}>{message.destination}</a>,
          <span class="clip">{message.text}</span>,
          `${message.failures + 1} of ${maxAttempts}`,
          <Time at={message.lease?.until ?? 0} />,
        ])}
        empty="The phone has no message now."
      />
    </Card>
  )
}

function SendAgainButton({ name, csrf }: { readonly name: string; csrf: string }): Html {
  return (
    <ActionButton
      action={bulkPath}
      csrf={csrf}
      label="Send all failed messages again"
      icon="send"
      variant="secondary"
      fields={{ do: 'again', all: 'true', filter: 'failed', phone: name }}
    />
  )
}

function formatCounts({ sent, failed }: PhoneCounts): string {
  return `${formatCount(sent)} sent, ${formatCount(failed)} failed`
}

function ReportsCard(props: {
  readonly name: string
  readonly messages: readonly Message[]
  readonly now: number
  readonly csrf: string
}): Html {
  const { name, messages, now, csrf } = props
  const hasFailed = messages.some(({ status }) => status === 'F')
  return (
    <Card
      title="Latest messages"
      aside={<a href={buildLink('/messages', { phone: name })}>All messages of this phone</a>}
      footer={hasFailed ? <SendAgainButton name={name} csrf={csrf} /> : undefined}
    >
      <Table
        caption={`Messages that ${name} reported`}
        head={['To', 'State', 'Reason', 'Created']}
        rows={messages.map(message => [
          <a href={getMessagePath(message.id)}>{message.destination}</a>,
          <>
            <MessagePill message={message} now={now} /> <DeliveryPill message={message} />
          </>,
          explainFailure(message.error ?? '') ?? message.error ?? '',
          <Time at={message.createdAt} />,
        ])}
        empty={`None of the latest ${maxSearched} messages was last reported by this phone.`}
      />
    </Card>
  )
}
