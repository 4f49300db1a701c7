import type { ReceivedTextFields } from '../../contract/received-text-schema.js'
import { formatFields, formatTable } from '../terminal/terminal-text.js'

export function formatReceivedText(received: ReceivedTextFields): string {
  const { id, from, to, driver, number, message, received_on: on, phone, word } = received
  const by = [phone, driver].filter(name => name !== null && name !== undefined).join(', ')
  return formatFields({
    id,
    from: number === null || number === from ? from : `${from} (${number})`,
    ...(to === undefined ? {} : { to }),
    received: `${on} UTC${by === '' ? '' : `, by ${by}`}`,
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
