import type { Clock } from '../util/async/clock.js'
import type { SmtpConfig } from './config/smtp-config.js'
import type { SmtpServer } from './mail/smtp-server.js'
import { defaultThrottleSettings, SignInThrottle } from './services/accounts/sign-in-throttle.js'
import { MailService } from './services/messages/mail-service.js'
import type { MailboxService } from './services/messages/mailbox-service.js'
import type { MessageService } from './services/messages/message-service.js'
import type { ServiceContext } from './services/service-context.js'

/** What the way in by e-mail stands on. */
export interface MailParts {
  readonly context: ServiceContext
  readonly mailboxes: MailboxService
  readonly messages: MessageService
  /** Aborted when the relay stops. */
  readonly signal: AbortSignal
  readonly reportDefect: (error: unknown) => void
}

/** A mail server that listens. */
export interface OpenMail {
  readonly server: SmtpServer
  readonly port: number
}

/**
 * Begins to take mail; undefined where the configuration wants none, and then nothing of it is loaded. Throws
 * `configuration`.
 */
export async function openMail(
  config: SmtpConfig,
  parts: MailParts,
): Promise<OpenMail | undefined> {
  const { port, host, domain, limits, tls } = config
  if (port === undefined) return undefined
  const { SmtpServer: MailServer } = await import('./mail/smtp-server.js')
  const { MailReceiver: Reception } = await import('./mail/mail-receiver.js')
  const { readCertificate } = await import('./mail/tls-certificate.js')
  const { mailboxes, context, messages, signal, reportDefect } = parts
  const reception = new Reception({
    mailboxes,
    mail: new MailService(context, messages),
    throttle: createMailThrottle(context.clock, limits.unknown),
    delayReply: async () => await context.clock.sleep(limits.holdUnknown, signal),
  })
  const certificate = tls && (await readCertificate(tls))
  const server = new MailServer({ receiver: reception, domain, limits, certificate, reportDefect })
  return { server, port: await server.listen(host, port) }
}

/** Whoever guesses names another address each time, so only where guesses come from counts. */
function createMailThrottle(clock: Clock, free: number): SignInThrottle {
  const { address, name } = defaultThrottleSettings
  return new SignInThrottle(clock, {
    address: { ...address, free },
    name: { ...name, free: Number.POSITIVE_INFINITY },
  })
}
