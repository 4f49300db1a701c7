import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  SMTPServer,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server'
import type { MailLimits } from '../../domain/limits.js'
import { getAddressBlock } from '../../net/ip-address.js'
import { listenError } from '../../net/server/listen-error.js'
import type { MailReceiver } from './mail-receiver.js'
import { readBytes } from './read-stream.js'
import { SmtpConnections } from './smtp-connections.js'
import { SmtpRejection, toSmtpRejection } from './smtp-reply.js'
import type { Certificate } from './tls-certificate.js'

/** What a mail server stands on. */
export interface SmtpServerParts {
  readonly receiver: MailReceiver
  /** The name it greets with. */
  readonly domain: string
  readonly limits: MailLimits
  /** With it mail may come by STARTTLS. */
  readonly certificate?: Certificate | undefined
  readonly reportDefect: (error: unknown) => void
}

type SmtpCallback = (error?: Error | null) => void

/** Takes mail by SMTP (RFC 5321) and hands it to a {@link Reception}; it never sends any. */
export class SmtpServer {
  readonly #parts: SmtpServerParts
  readonly #server: SMTPServer
  readonly #visitors: SmtpConnections
  /** The sessions in hand, each with what ends it when it lasts too long. */
  readonly #sessions = new Map<string, NodeJS.Timeout>()
  /** The sessions whose mail is being decided on. */
  readonly #busy = new Set<string>()
  #stopping = false

  constructor(parts: SmtpServerParts) {
    this.#parts = parts
    this.#visitors = new SmtpConnections(parts.limits)
    this.#server = new SMTPServer({ ...toSmtpOptions(parts), ...this.#handlers() })
    // What goes wrong on a connection is its client's business; what listening throws comes from `listen`.
    this.#server.on('error', () => {})
  }

  /** Listens; resolves to the port. Throws `configuration` for an address that cannot be had. */
  async listen(host: string, port: number): Promise<number> {
    const listener = this.#server.listen(port, host)
    try {
      await once(listener, 'listening')
    } catch (error) {
      throw listenError(error as NodeJS.ErrnoException, { host, port, flags: 'smtp-' })
    }
    return (listener.address() as AddressInfo).port
  }

  /** Stops listening, finishes the mail in hand, for `grace` milliseconds at most, and ends every connection. */
  async close(grace: number): Promise<void> {
    this.#stopping = true
    if (!this.#server.server.listening) return
    const closed = new Promise<void>(resolve => this.#server.server.close(() => resolve()))
    const endAll = (): void => this.#end(() => true)
    this.#end(id => !this.#busy.has(id))
    const timer = setTimeout(endAll, grace)
    await closed
    clearTimeout(timer)
  }

  #handlers(): SMTPServerOptions {
    return {
      onConnect: (session, done) => replyWith(done, async () => this.#enter(session)),
      onClose: session => this.#leave(session),
      onMailFrom: (_address, _session, done) =>
        replyWith(done, async () => {
          if (this.#stopping) throw stoppingError()
        }),
      onRcptTo: ({ address }, session, done) =>
        replyWith(done, async () => await this.#check(address, session)),
      onData: (stream, session, done) =>
        replyWith(done, async () => await this.#take(stream, session)),
    }
  }

  #enter({ id, remoteAddress }: SMTPServerSession): void {
    if (this.#stopping) throw stoppingError()
    this.#visitors.open(getAddressBlock(remoteAddress))
    const end = setTimeout(() => this.#end(each => each === id), this.#parts.limits.lifetime)
    this.#sessions.set(id, end.unref())
  }

  #leave({ id, remoteAddress }: SMTPServerSession): void {
    const end = this.#sessions.get(id)
    if (end === undefined) return
    clearTimeout(end)
    this.#sessions.delete(id)
    this.#visitors.close(getAddressBlock(remoteAddress))
  }

  async #check(address: string, session: SMTPServerSession): Promise<void> {
    const { receiver: reception, reportDefect } = this.#parts
    try {
      await reception.checkRecipient(address, getAddressBlock(session.remoteAddress))
    } catch (error) {
      throw toSmtpRejection(error, reportDefect)
    }
  }

  async #take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const { receiver: reception, limits, reportDefect } = this.#parts
    const recipients = session.envelope.rcptTo.map(({ address }) => address)
    const envelope = { sender: getSender(session), recipients }
    this.#busy.add(session.id)
    try {
      await reception.accept(await readBytes(stream, limits.size), envelope)
    } catch (error) {
      throw toSmtpRejection(error, reportDefect)
    } finally {
      this.#busy.delete(session.id)
      if (this.#stopping) setImmediate(() => this.#end(id => id === session.id))
    }
  }

  #end(fits: (id: string) => boolean): void {
    for (const connection of this.#server.connections) {
      if (fits(connection.id))
        connection.send(421, '4.3.2 Closing the connection; try again later.')
    }
  }
}

function toSmtpOptions({ domain, limits, certificate }: SmtpServerParts): SMTPServerOptions {
  const never = ['AUTH', 'WIZ', 'SHELL', 'KILL', 'XCLIENT', 'XFORWARD']
  return {
    name: domain,
    banner: 'smsrelay',
    size: limits.size,
    maxRecipients: limits.recipients,
    maxClients: limits.connections,
    socketTimeout: limits.idleTimeout,
    disabledCommands: certificate === undefined ? [...never, 'STARTTLS'] : never,
    disableReverseLookup: true,
    logger: false,
    ...certificate,
  }
}

function getSender({ envelope }: SMTPServerSession): string {
  return envelope.mailFrom === false ? '' : envelope.mailFrom.address
}

function replyWith(done: SmtpCallback, work: () => Promise<void>): void {
  work().then(
    () => done(),
    (error: Error) => done(error),
  )
}

function stoppingError(): SmtpRejection {
  return new SmtpRejection(421, '4.3.2 The relay is stopping; try again later.')
}
