import type { OutgoingMail } from '../services/webhooks/pause-alerts.js'

/** Where the mail sender sends mail, and from whom it is. */
export interface MailSenderOptions {
  /** URL of the SMTP server that the mail sender connects to, `smtp:` or `smtps:`. */
  readonly url: string
  readonly from: string
  readonly requireTls: boolean
}

/** Milliseconds that the mail sender waits for the connection, the greeting and each reply. */
const timeout = 10_000

/** Creates a function that sends a mail through an SMTP server; it rejects if that fails. */
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
      await transport.sendMail({ from, to, subject, text, headers })
    } finally {
      transport.close()
    }
  }
}
