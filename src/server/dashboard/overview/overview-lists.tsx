import { includesRole, type Role } from '../../../domain/account/person.js'
import type { Message } from '../../../domain/message/message.js'
import { describeReceived } from '../../../domain/phone/received-mms.js'
import type { ReceivedText } from '../../../domain/phone/received-text.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import type { PhoneView } from '../../services/phones/phone-service.js'
import type { AttentionItem } from '../attention/attention.js'
import { Card } from '../components/card.js'
import { ButtonLink } from '../components/form.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import { Icon } from '../components/icons.js'
import { MessagePill, Pill } from '../components/pill.js'
import { Time } from '../components/time.js'
import { getConversationPath, getMessagePath, getPhonePath } from '../messages/message-path.js'
import { LastContact, PhonePill } from '../phones/phone-state.js'
import { getSubscriptionPath, SubscriptionPill } from '../webhooks/subscription-summary.js'

export function AttentionCard(props: {
  readonly items: readonly AttentionItem[]
  /** Role of the person who is shown the problems on the dashboard. */
  readonly role: Role
}): Html {
  const { items, role } = props
  const title =
    items.length === 0 ? (
      'Needs attention'
    ) : (
      <>
        Needs attention <span class="tally bad">{items.length}</span>
      </>
    )
  return (
    <Card title={title} id="care" aside={items.length > 1 && <Quiet>Most urgent first</Quiet>}>
      <ul class="alerts">
        {items.length === 0 && (
          <li>
            <span class="badge good">
              <Icon name="check" />
            </span>
            <p>
              <strong>Nothing.</strong> No phone is silent and no subscription is paused.
            </p>
          </li>
        )}
        {items.map(item => (
          <AttentionRow item={item} role={role} />
        ))}
      </ul>
    </Card>
  )
}

/** Who can take the next step, for those who cannot. */
const solvers = {
  sender: 'A sender or an admin of the account can solve this.',
  admin: 'An admin of the account can solve this.',
} as const

function Quiet({ children }: { readonly children?: Child }): Html {
  return <span class="quiet small">{children}</span>
}

function AttentionRow(props: { readonly item: AttentionItem; readonly role: Role }): Html {
  const { icon, tone, title, text, step, action } = props.item
  const canSolve = step === undefined || includesRole(props.role, step.role)
  return (
    <li>
      <span class={`badge ${tone}`}>
        <Icon name={icon} />
      </span>
      <div>
        <h3>{title}</h3>
        <p>
          {text}
          {step && ` ${canSolve ? step.text : solvers[step.role]}`}
        </p>
      </div>
      {action && (canSolve || action.isView) && (
        <div class="acts">
          <ButtonLink href={action.path} label={action.label} />
        </div>
      )}
    </li>
  )
}

export interface FeedEntry {
  readonly at: number
  readonly message?: Message
  readonly received?: ReceivedText
  readonly name?: string | undefined
}

export function LatestCard(props: { readonly entries: readonly FeedEntry[]; now: number }): Html {
  const { entries, now } = props
  return (
    <Card title="Latest messages" id="latest" aside={<a href="/messages">All messages</a>}>
      {entries.length === 0 && <p class="none">No message has been sent or received yet.</p>}
      <ul class="feed">
        {entries.map(({ at, message, received, name }) => (
          <li>
            <Icon name={message === undefined ? 'in' : 'out'} tone="quiet" />
            {message && <SentEntry message={message} name={name} now={now} />}
            {received && <ReceivedEntry received={received} name={name} />}
            <span class="when">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function SentEntry(props: {
  readonly message: Message
  readonly name: string | undefined
  readonly now: number
}): Html {
  const { message, name, now } = props
  return (
    <>
      <a class="num clip" href={getMessagePath(message.id)}>
        <span class="unseen">To </span>
        <bdi>{name ?? message.destination}</bdi>
      </a>
      <span class="text clip" dir="auto">
        {message.text}
      </span>
      <MessagePill message={message} now={now} />
    </>
  )
}

function ReceivedEntry(props: {
  readonly received: ReceivedText
  readonly name: string | undefined
}): Html {
  const { received, name } = props
  return (
    <>
      <a class="num clip" href={getConversationPath(received.number ?? received.from)}>
        <span class="unseen">Received from </span>
        <bdi>{name ?? received.from}</bdi>
      </a>
      <span class="text clip" dir="auto">
        {describeReceived(received)}
      </span>
      <Pill tone="idle" icon="in">
        Received
      </Pill>
    </>
  )
}

export function PhonesCard({ phones }: { readonly phones: readonly PhoneView[] }): Html {
  return (
    <Card title="Phones" id="phones" aside={<a href="/phones">All phones</a>}>
      {phones.length === 0 && <p class="none">No phone has requested a message yet.</p>}
      <ul class="rows">
        {phones.map(phone => (
          <li>
            <Icon name="phone" tone="quiet" />
            <div class="grow">
              <a href={getPhonePath(phone.name)}>{phone.name}</a>
              <span class="sub">
                {phone.driver} · <LastContact phone={phone} />
              </span>
            </div>
            <PhonePill phone={phone} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

export function SubscriptionsCard(props: {
  readonly subscriptions: readonly Subscription[]
  readonly role: Role
}): Html {
  const { subscriptions, role } = props
  return (
    <Card
      title="Subscriptions"
      id="subscriptions"
      aside={
        <a class="link" href="/subscriptions">
          All subscriptions
        </a>
      }
    >
      {subscriptions.length === 0 && <p class="none">There are no subscriptions.</p>}
      <ul class="rows">
        {subscriptions.map(subscription => (
          <li>
            <Icon name="hook" tone="quiet" />
            <div class="grow">
              <a href={getSubscriptionPath(subscription.id)}>{subscription.event}</a>
              {role === 'admin' && <span class="sub clip">{getHost(subscription.url)}</span>}
            </div>
            <SubscriptionPill subscription={subscription} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function getHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
