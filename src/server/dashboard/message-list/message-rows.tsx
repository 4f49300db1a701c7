import { explainFailure } from '../../../domain/message/failure-reason.js'
import { getDueTime, type Message, maxAttempts } from '../../../domain/message/message.js'
import { Empty } from '../components/card.js'
import { ButtonLink } from '../components/form.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import { Icon } from '../components/icons.js'
import { buildLink } from '../components/pagination.js'
import { DeliveryPill, MessagePill } from '../components/pill.js'
import { Time } from '../components/time.js'
import { getMessagePath, sourceLabels } from '../messages/message-path.js'
import { BulkForm, selectionPrefix } from './bulk-bar.js'
import { isSearchQuery, type ListQuery, toQuery } from './message-list-query.js'

interface MessageTableProps {
  readonly messages: readonly Message[]
  /** Names of contacts by canonical number. */
  readonly names: ReadonlyMap<string, string>
  readonly query: ListQuery
  readonly csrf: string
  /** Number of messages that the query matches, if it is known. */
  readonly total: string | undefined
  readonly holdsNew: boolean
  readonly now: number
}

/** The list of messages; on a narrow screen, each row becomes a card. */
export function MessageTable(props: MessageTableProps): Html {
  const { messages, names, query, csrf, total, holdsNew, now } = props
  if (messages.length === 0) return <NoMessages query={query} />
  return (
    <>
      <p class="news" id="news" hidden>
        <a href="/messages">
          Show new messages (<span data-count="true">0</span>)
        </a>
      </p>
      <BulkForm csrf={csrf} query={query} total={total}>
        <table class={query.times === '' ? 'msgs stack' : 'msgs stack exact'} role="table">
          <caption class="unseen">Messages</caption>
          <Head {...props} />
          <tbody role="rowgroup" data-hold={holdsNew ? 'true' : undefined}>
            {messages.map(message => (
              <MessageRow message={message} name={names.get(message.number)} now={now} />
            ))}
          </tbody>
        </table>
      </BulkForm>
    </>
  )
}

function NoMessages({ query }: { readonly query: ListQuery }): Html {
  if (query.start > 0 && !isSearchQuery(query))
    return (
      <Empty
        icon="messages"
        title="No messages on this page"
        actions={<ButtonLink href={buildLink('/messages', toQuery(query, 0))} label="First page" />}
      >
        The list has fewer pages.
      </Empty>
    )
  if (query.filter !== 'all' || isSearchQuery(query))
    return (
      <Empty icon="search" title="No matching messages">
        Choose another state, or clear the search.
      </Empty>
    )
  const action = <ButtonLink href="/send" label="New message" variant="primary" icon="send" />
  return (
    <Empty icon="messages" title="No messages yet" actions={action}>
      Messages from people, programs, secret URLs and e-mail appear here.
    </Empty>
  )
}

function Head({ query }: MessageTableProps): Html {
  const isNewestFirst = query.order === 'desc'
  const otherOrder = toQuery({ ...query, order: isNewestFirst ? 'asc' : 'desc' }, 0)
  return (
    <thead role="rowgroup">
      <tr role="row">
        <Column name="tick">
          <span class="unseen">Select</span>
        </Column>
        <Column name="who">To</Column>
        <Column name="text">Text</Column>
        <Column name="state">State</Column>
        <Column name="phone">Phone</Column>
        <Column name="from">Source</Column>
        <th
          role="columnheader"
          scope="col"
          class="c-when"
          aria-sort={isNewestFirst ? 'descending' : 'ascending'}
        >
          <a
            href={buildLink('/messages', otherOrder)}
            title={isNewestFirst ? 'Sort oldest first' : 'Sort newest first'}
          >
            Created <Icon name="down" tone={isNewestFirst ? '' : 'turned'} />
          </a>
        </th>
      </tr>
    </thead>
  )
}

function Column(props: { readonly name: string; readonly children?: Child }): Html {
  return (
    <th role="columnheader" scope="col" class={`c-${props.name}`}>
      {props.children}
    </th>
  )
}

function SelectCell({ message }: { readonly message: Message }): Html {
  return (
    <td role="cell" class="c-tick">
      <label class="box">
        <input
          type="checkbox"
          name={`${selectionPrefix}${message.id}`}
          aria-label={`Select the message to ${message.destination}`}
        />
      </label>
    </td>
  )
}

function PhoneCell({ phone }: { readonly phone: string | undefined }): Html {
  return (
    <td role="cell" class="c-phone">
      {phone === undefined ? (
        <>
          <span class="quiet" aria-hidden="true">
            –
          </span>
          <span class="unseen">none</span>
        </>
      ) : (
        <span class="clip">{phone}</span>
      )}
    </td>
  )
}

interface MessageRowProps {
  readonly message: Message
  readonly name: string | undefined
  readonly now: number
}

function MessageRow({ message, name, now }: MessageRowProps): Html {
  const { id, text, phone, source, createdAt } = message
  const path = getMessagePath(id)
  return (
    <tr role="row" id={`m-${id}`} data-version={getRowVersion(message, now)}>
      <SelectCell message={message} />
      <td role="cell" class="c-who">
        <Recipient message={message} name={name} />
      </td>
      <td role="cell" class="c-text">
        <a class="clip body" dir="auto" href={path}>
          {text}
        </a>
        <Reason message={message} now={now} />
      </td>
      <td role="cell" class="c-state">
        <MessagePill message={message} now={now} /> <DeliveryPill message={message} />
      </td>
      <PhoneCell phone={phone} />
      <td role="cell" class="c-from">
        {sourceLabels[source]}
      </td>
      <td role="cell" class="c-when">
        <Time at={createdAt} />
      </td>
    </tr>
  )
}

export function Recipient(props: { readonly message: Message; name: string | undefined }): Html {
  const { message, name } = props
  const { id, destination } = message
  return (
    <>
      <a class="num clip" dir="auto" href={getMessagePath(id)}>
        {name ?? destination}
      </a>
      {name !== undefined && <Sub>{destination}</Sub>}
    </>
  )
}

/** Changes with what the row shows, so that a live update can mark it. */
function getRowVersion({ status, statusAt, failures, delivery = '', lease }: Message, now: number) {
  const isLeased = lease !== undefined && lease.until > now
  const [parts] = delivery.split(' ')
  return [status, statusAt.toString(36), failures, isLeased ? 'leased' : '', parts].join('-')
}

function Reason({ message, now }: { readonly message: Message; now: number }): Html | null {
  const { status, failures, error = '' } = message
  const reason = <bdi>{formatReason(error)}</bdi>
  if (status === 'F') return <Sub isBad>{reason} · all attempts failed</Sub>
  if (status === 'E')
    return (
      <Sub isBad>
        {reason}
        {` · ${failures} of ${maxAttempts} attempts failed, next `}
        <Time at={getDueTime(message)} />
      </Sub>
    )
  if (status === 'B') return <Sub>The number is on the Do Not Text list</Sub>
  const due = getDueTime(message)
  if (status !== 'N' || due <= message.createdAt) return null
  return (
    <Sub>
      {due > now ? 'Scheduled for ' : 'Due since '}
      <Time at={due} clock />
    </Sub>
  )
}

function formatReason(error: string): string {
  return (explainFailure(error) ?? (error || 'No reason given')).replace(/\.$/, '')
}

function Sub(props: { readonly isBad?: boolean; readonly children?: Child }): Html {
  return <span class={props.isBad ? 'sub clip bad-text' : 'sub clip'}>{props.children}</span>
}
