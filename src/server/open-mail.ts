import type { WatchedCertificate } from '../net/tls/tls-certificate.js'
import { hasMailServer, type SmtpConfig } from './config/relay-config.js'
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
  readonly port: number | undefined
  readonly tlsPort: number | undefined
  readonly close: (grace: number) => Promise<void>
}

/**
 * Starts the mail servers. Without a port in the configuration it loads nothing of src/server/mail
 * and resolves to undefined. Throws `configuration`.
 */
export async function openMail(
  config: SmtpConfig,
  parts: MailParts,
): Promise<OpenMail | undefined> {
  if (!hasMailServer(config)) return undefined
  const { SmtpServer } = await import('./mail/smtp-server.js')
  const { MailReceiver } = await import('./mail/mail-receiver.js')
  const { RecipientThrottle } = await import('./mail/recipient-throttle.js')
  const { host, domain, maxSize, xForward, limits } = config
  const { mailboxes, context, messages, certificate, signal, reportDefect } = parts
  const { clock, metrics } = context
  const own = { clock, metrics, reportDefect }
  const receiver = new MailReceiver({
    mailboxes,
    mail: new MailService(context, messages),
    throttle: new RecipientThrottle(context, limits.unknown),
    delayReply: async () => await clock.sleep(limits.holdUnknown, signal),
  })
  const servers: SmtpServer[] = []
  const close = async (grace: number): Promise<void> => {
    await Promise.all(servers.map(async server => await server.close(grace)))
  }
  const listen = async (port: number | undefined, secure: boolean) => {
    if (port === undefined) return undefined
    const server = new SmtpServer({
      ...own,
      ...{ receiver, domain, maxSize, xForward, limits, certificate, secure },
    })
    servers.push(server)
    return await server.listen(host, port)
  }
  try {
    const port = await listen(config.port, false)
    return { port, tlsPort: await listen(config.tlsPort, true), close }
  } catch (error) {
    await close(0)
    throw error
  }
}
