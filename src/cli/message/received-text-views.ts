import type { ReceivedTextFields } from '../../contract/received-text-schema.js'
import { formatFields, formatTable } from '../terminal/terminal-text.js'

export function formatReceivedText(received: ReceivedTextFields): string {
  const { id, from, number, message, received_on: on, phone, word } = received
  return formatFields({
    id,
    from: number === null || number === from ? from : `${from} (${number})`,
    received: `${on} UTC${phone === null ? '' : `, by ${phone}`}`,
    ...(word === null ? {} : { word }),
    text: message,
  })
}

export function formatReceivedTextTable(
  texts: readonly ReceivedTextFields[],
  columns?: number,
): string {
  const rows = texts.map(each => [
    each.id,
    each.received_on,
    each.from,
    each.word ?? '',
    each.message,
  ])
  return formatTable(['ID', 'RECEIVED (UTC)', 'FROM', 'WORD', 'TEXT'], rows, columns)
}
