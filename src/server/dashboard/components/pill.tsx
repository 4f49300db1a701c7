import { type DeliveryState, getDeliveryStatus } from '../../../domain/message/delivery-status.js'
import { getDueTime, type Message, type Status } from '../../../domain/message/message.js'
import { type Child, type Html, h } from './html.js'
import { Icon, type IconName } from './icons.js'

export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'held' | 'idle'

export function Pill(props: {
  readonly tone: Tone
  readonly icon: IconName
  readonly children?: Child
}): Html {
  return (
    <span class={`pill ${props.tone}`}>
      <Icon name={props.icon} />
      {props.children}
    </span>
  )
}

type Look = readonly [word: string, tone: Tone, icon: IconName]

export const statusLooks = {
  N: ['Waiting', 'busy', 'clock'],
  S: ['Sent', 'good', 'check'],
  E: ['Retrying', 'warn', 'retry'],
  F: ['Failed', 'bad', 'cross'],
  D: ['Cancelled', 'idle', 'minus'],
  L: ['Locked', 'held', 'lock'],
  B: ['Blocked', 'idle', 'ban'],
} as const satisfies Record<Status, Look>

export function MessagePill({ message, now }: { message: Message; now: number }): Html {
  const [word, tone, icon] = getMessageLook(message, now)
  return (
    <Pill tone={tone} icon={icon}>
      {word}
    </Pill>
  )
}

function getMessageLook(message: Message, now: number): Look {
  const { status, lease } = message
  if (status !== 'N') return statusLooks[status]
  if (lease !== undefined && lease.until > now) return ['With phone', 'busy', 'send']
  return getDueTime(message) > now ? ['Scheduled', 'busy', 'calendar'] : statusLooks.N
}

export const deliveryLooks = {
  pending: ['Pending', 'busy', 'clock'],
  delivered: ['Delivered', 'good', 'check'],
  undelivered: ['Undelivered', 'bad', 'cross'],
  expired: ['Expired', 'bad', 'cross'],
} as const satisfies Record<DeliveryState, Look>

export function DeliveryPill({ message }: { readonly message: Message }): Html | null {
  const state = getDeliveryStatus(message)?.state
  if (state === undefined) return null
  const [word, tone, icon] = deliveryLooks[state]
  return (
    <Pill tone={tone} icon={icon}>
      {word}
    </Pill>
  )
}
