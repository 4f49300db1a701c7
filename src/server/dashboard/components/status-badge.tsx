import { type Status, statusNames } from '../../../domain/message/message.js'
import { type Html, h } from './html.js'

export function StatusBadge({ status }: { readonly status: Status }): Html {
  const name = statusNames[status]
  return <span class={`badge ${name}`}>{name.slice(0, 1).toUpperCase() + name.slice(1)}</span>
}
