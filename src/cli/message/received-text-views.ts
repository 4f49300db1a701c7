import type { ReceivedFields } from '../../contract/received-reply.js'
import { fields, table } from '../terminal/terminal-text.js'

/** A received text, for people. */
export function receivedView(received: ReceivedFields): string {
  const { id, from, number, message, received_on: on, phone, word } = received
  return fields({
    id,
    from: number === null || number === from ? from : `${from} (${number})`,
    received: `${on} UTC${phone === null ? '' : `, by ${phone}`}`,
    ...(word === null ? {} : { word }),
    text: message,
  })
}

/** Received texts one a line, for people. */
export function receivedTable(texts: readonly ReceivedFields[], columns?: number): string {
  const rows = texts.map(each => [
    each.id,
    each.received_on,
    each.from,
    each.word ?? '',
    each.message,
  ])
  return table(['ID', 'RECEIVED (UTC)', 'FROM', 'WORD', 'TEXT'], rows, columns)
}
