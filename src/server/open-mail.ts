import type { WatchedCertificate } from '../net/tls/tls-certificate.js'
import type { SmtpConfig } from './config/smtp-config.js'
import type { SmtpServer } from './mail/smtp-server.js'
import { MailService } from './services/messages/mail-service.js'
import type { MailboxService } from './services/messages/mailbox-service.js'
import type { MessageService } from './services/messages/message-service.js'
import type { ServiceContext } from './services/service-context.js'

export interface MailParts {
  readonly context: ServiceContext
  readonly mailboxes: MailboxService
  readonly messages: MessageService
  readonly certificate: WatchedCertificate | undefined
  readonly signal: AbortSignal
  readonly reportDefect: (error: unknown) => void
}

export interface OpenMail {
  readonly server: SmtpServer
  readonly port: number
}

/**
 * Starts the mail server. Without a port in the configuration it loads nothing of src/server/mail
 * and resolves to undefined. Throws `configuration`.
 */
export async function openMail(
  config: SmtpConfig,
  parts: MailParts,
): Promise<OpenMail | undefined> {
  const { port, host, domain, maxSize, limits } = config
  if (port === undefined) return undefined
  const { SmtpServer } = await import('./mail/smtp-server.js')
  const { MailReceiver } = await import('./mail/mail-receiver.js')
  const { RecipientThrottle } = await import('./mail/recipient-throttle.js')
  const { mailboxes, context, messages, certificate, signal, reportDefect } = parts
  const { clock, metrics } = context
  const own = { clock, metrics, reportDefect }
  const receiver = new MailReceiver({
    mailboxes,
    mail: new MailService(context, messages),
    throttle: new RecipientThrottle(context, limits.unknown),
    delayReply: async () => await clock.sleep(limits.holdUnknown, signal),
  })
  const server = new SmtpServer({ ...own, receiver, domain, maxSize, limits, certificate })
  return { server, port: await server.listen(host, port) }
}
