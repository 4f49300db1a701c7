import type { ReceivedTextFields } from '../../contract/received-text-schema.js'
import { describeReceived } from '../../domain/phone/received-mms.js'
import type { Column } from '../output/column.js'

export const receivedTextColumns: readonly Column<ReceivedTextFields>[] = [
  { name: 'id', isId: true, read: each => each.id },
  { name: 'received_on', title: 'received', isTime: true, read: each => each.received_on },
  { name: 'from', read: each => each.from },
  {
    name: 'number',
    isWide: true,
    read: ({ number, from }) => (number === from ? undefined : number),
  },
  { name: 'to', isWide: true, read: each => each.to },
  { name: 'phone', isWide: true, read: each => each.phone },
  { name: 'driver', isWide: true, read: each => each.driver },
  { name: 'line', isWide: true, read: each => each.line },
  { name: 'word', read: each => each.word },
  {
    ...{ name: 'message', title: 'text', canTruncate: true },
    read: ({ kind, message: text, ...rest }) =>
      kind === 'mms' ? describeReceived({ ...rest, kind, text }) : text,
  },
  { name: 'media', isWide: true, read: each => each.media?.join(' ') },
]
