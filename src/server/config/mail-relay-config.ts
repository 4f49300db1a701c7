import { RelayError } from '../../errors.js'
import { isLoopbackHost } from '../../net/ip-address.js'

export interface MailRelaySettings {
  /**
   * Setting: SMTP server for alerts, `smtp://` or `smtps://`, with a login if needed. @default no
   * mail
   */
  readonly mailRelay?: string | undefined
  /** Setting: sender of alerts. @default smsrelay@ and the domain of the mailboxes */
  readonly mailFrom?: string | undefined
}

export interface MailRelayConfig {
  /** Checked setting: URL of the SMTP server; it can contain a password. */
  readonly url: string
  readonly from: string
  /** Checked setting: whether a login may only be sent over TLS, to all but this machine. */
  readonly requireTls: boolean
}

/** Checks the settings of outgoing mail; undefined without a server. Throws `usage`. */
export function parseMailRelayConfig(
  { mailRelay, mailFrom }: MailRelaySettings,
  domain: string,
): MailRelayConfig | undefined {
  if (mailRelay === undefined) return undefined
  const url = URL.canParse(mailRelay) ? new URL(mailRelay) : undefined
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    // The setting's value can contain a password.
    throw new RelayError('usage', 'The mail relay must be an address of an SMTP server.', {
      hint: 'Write smtp://user:password@mail.example.com:587 or smtps://….',
    })
  }
  const from = mailFrom ?? `smsrelay@${domain}`
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(from)) {
    throw new RelayError('usage', `The sender of alerts, ${from}, must be an e-mail address.`)
  }
  return { url: mailRelay, from, requireTls: !isLoopbackHost(url.hostname) }
}
