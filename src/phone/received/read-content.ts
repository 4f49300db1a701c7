import { findWords } from '../../domain/sms/service-sms.js'
import { hashText } from '../../util/crypto/secrets.js'
import { parseMmsNotification } from './mms-notification.js'
import type { CompleteText } from './part-assembler.js'

/**
 * What a complete SMS is: a text of a person, maybe an MMS, or the description of another content,
 * such as `data for port 5505`.
 */
export function readContent(joined: CompleteText): CompleteText | string {
  const { isData, port, ...text } = joined
  if (isData === true) {
    const mms = readNotification(text)
    if (mms !== undefined) return mms
  }
  if (port !== undefined) return `data for port ${port}`
  if (isData !== true) return text
  const words = findWords(text.text)
  return words === undefined ? 'data' : { ...text, text: words }
}

function readNotification(text: CompleteText): CompleteText | undefined {
  const found = parseMmsNotification(Buffer.from(text.text, 'latin1'))
  if (found === undefined) return undefined
  const { transaction, from = text.from, ...mms } = found
  // The operator repeats the notification, with another time, until the MMS was fetched.
  const key = hashText(JSON.stringify(['mms', text.line ?? '', from, transaction]))
  return { ...text, from, text: '', mms, key, keys: [...text.keys, key] }
}
