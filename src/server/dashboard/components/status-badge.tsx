import { getDeliveryStatus } from '../../../domain/message/delivery-status.js'
import { type Message, type Status, statusNames } from '../../../domain/message/message.js'
import { type Html, h } from './html.js'

export function StatusBadge({ status }: { readonly status: Status }): Html {
  const name = statusNames[status]
  return <span class={`badge ${name}`}>{name.slice(0, 1).toUpperCase() + name.slice(1)}</span>
}

/** A badge with the delivery status of a message; nothing if it has none. */
export function DeliveryBadge({ message }: { readonly message: Message }): Html | null {
  const state = getDeliveryStatus(message)?.state
  if (state === undefined) return null
  return <span class={`badge ${state}`}>{state.slice(0, 1).toUpperCase() + state.slice(1)}</span>
}
