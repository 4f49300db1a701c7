import type { OutgoingMail } from '../services/automatic-mail.js'

export interface MailSenderOptions {
  readonly url: string
  readonly from: string
  readonly requireTls: boolean
}

/** Milliseconds that the mail sender waits for the connection, the greeting and each reply. */
const timeout = 10_000

export function createMailSender({ url, from, requireTls }: MailSenderOptions) {
  const { username, protocol } = new URL(url)
  const timeouts = {
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
  }
  return async ({ to, subject, text }: OutgoingMail): Promise<void> => {
    const { createTransport } = await import('nodemailer')
    const needsTls = requireTls && username !== '' && protocol === 'smtp:'
    const transport = createTransport({
      url,
      ...timeouts,
      ...(needsTls ? { requireTLS: true } : {}),
    })
    try {
      const headers = { 'Auto-Submitted': 'auto-generated' }
      // As an object: nodemailer would parse a text, and find other addresses in it.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text, headers })
    } finally {
      transport.close()
    }
  }
}
