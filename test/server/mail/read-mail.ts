import { readMailParts } from '../../../src/server/mail/mail-parts.js'
import { createMailReader } from '../../../src/server/mail/mail-text.js'
import { type Mail, parseMail } from '../../../src/server/mail/parse-mail.js'

export async function readMail(bytes: Uint8Array): Promise<Mail> {
  return await parseMail(await readMailParts([bytes], Number.POSITIVE_INFINITY))
}

/** The text of the message that a mail becomes. */
export async function readMessage(bytes: Uint8Array): Promise<string> {
  return createMailReader(await readMail(bytes))({ subject: 'never', length: 1600 })
}
