import { type Message, statusNames } from '../../../domain/message/message.js'
import { findNumberWarning } from '../../../domain/sms/phone-number.js'
import { pluralize } from '../../../util/text/plural.js'
import type { MessageCopy } from '../../services/messages/message-copies.js'
import type { LeaseView } from '../../services/phones/find-lease.js'
import { Card, CardBody } from '../components/card.js'
import { Fragment, type Html, h } from '../components/html.js'
import { statusLooks } from '../components/pill.js'
import { Facts } from '../components/table.js'
import { Time } from '../components/time.js'
import { SentAgain } from './message-notice.js'
import { getConversationPath, getPhonePath, sourceLabels } from './message-path.js'

export interface ShownMessage {
  readonly message: Message
  readonly name: string | undefined
  readonly lease: LeaseView | undefined
  /** Its last lease, if it is this one or ended without a report. */
  readonly lastLease: LeaseView | undefined
  /** The latest message with which somebody sent this one again. */
  readonly copy: MessageCopy | undefined
}

export function DetailsCard({ message, name, lease, copy }: ShownMessage): Html {
  const { id, destination, number, status, statusAt, phone, createdAt, sendAt, parts } = message
  const warning = findNumberWarning(number)
  return (
    <Card title="Details">
      <CardBody>
        <Facts
          items={[
            [
              'To',
              <a href={getConversationPath(number)}>
                {name !== undefined && <bdi>{name}</bdi>}
                {name !== undefined && ' · '}
                {destination === number ? number : `${destination} (${number})`}
              </a>,
            ],
            ...(warning === undefined ? [] : [['Number', `${number} ${warning}.`] as const]),
            [
              'State',
              <>
                {`${statusLooks[status][0]} since `}
                <Time at={statusAt} clock />
                <span class="quiet small">{` · API: ${status} (${statusNames[status]})`}</span>
              </>,
            ],
            ...(lease === undefined ? [] : [['With phone', <Holder lease={lease} />] as const]),
            ...(phone === undefined
              ? []
              : [['Last phone', <a href={getPhonePath(phone)}>{phone}</a>] as const]),
            ['Created', <Time at={createdAt} exact />],
            ...(sendAt > createdAt ? [['Send on', <Time at={sendAt} exact />] as const] : []),
            ['Source', sourceLabels[message.source]],
            ...(parts === undefined ? [] : [['Sent in', pluralize(parts, 'part')] as const]),
            ...(copy === undefined ? [] : [['Copy', <SentAgain copy={copy} />] as const]),
            ['ID', <code>{id}</code>],
          ]}
        />
      </CardBody>
    </Card>
  )
}

function Holder({ lease: { phone, beganAt, endsAt } }: { readonly lease: LeaseView }): Html {
  return (
    <>
      {phone === undefined ? 'not known' : <a href={getPhonePath(phone)}>{phone}</a>}
      <span class="quiet small">
        {' since '}
        <Time at={beganAt} exact />
        {', until '}
        <Time at={endsAt} exact />
        {' without a report'}
      </span>
    </>
  )
}
