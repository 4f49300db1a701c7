// Mail in: from SMTP to messages.
// 1. smtp-server accepts connections (smtp-server package) and limits them; mail-parts reads a mail
//    and drops attached files while they arrive.
// 2. mail-receiver decides on it: it finds the mailbox of each recipient and checks the sender.
// 3. parse-mail parses its head, and part-text its texts (postal-mime package), with html-to-text
//    and flowed-text.
// 4. mail-text makes the text of the message; remove-quotes, with reply-phrases, keeps what the
//    author of a reply wrote.
// 5. The mail service accepts a message for each recipient. The client gets its reply when all of
//    them are durable; smtp-reply maps errors to reply codes.
// Only src/server/open-mail.ts loads this folder, and only if mail is configured.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  SMTPServer,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server'
import { getAddressBlock } from '../../net/ip-address.js'
import { listenError } from '../../net/server/listen-target.js'
import type { WatchedCertificate } from '../../net/tls/tls-certificate.js'
import type { Clock } from '../../util/async/clock.js'
import type { Metrics } from '../../util/collections/metrics.js'
import type { MailLimits } from '../config/relay-config.js'
import { readMailParts } from './mail-parts.js'
import type { MailReceiver } from './mail-receiver.js'
import { SmtpRejection, toSmtpRejection } from './smtp-reply.js'

export interface SmtpServerParts {
  readonly receiver: MailReceiver
  readonly domain: string
  /** Bytes of a mail. */
  readonly maxSize: number
  /** Whether mail servers on this machine may name their clients. */
  readonly xForward: boolean
  readonly limits: MailLimits
  readonly certificate?: WatchedCertificate | undefined
  /** Whether TLS begins with the connection; it needs a certificate. */
  readonly secure: boolean
  readonly clock: Pick<Clock, 'after'>
  readonly metrics: Pick<Metrics, 'increment'>
  readonly reportDefect: (error: unknown) => void
}

interface OpenSession {
  /** Address of the SMTP peer; XFORWARD changes the address of the session. */
  readonly address: string
  readonly cancelEnd: () => void
}

/** Mail servers that may name their clients with XFORWARD (Postfix's XFORWARD_README). */
const trustedPeers = ['127.0.0.1', '::1']

type SmtpCallback = (error?: Error | null) => void

export class SmtpServer {
  readonly #parts: SmtpServerParts
  readonly #server: SMTPServer
  readonly #connections: SmtpConnections
  readonly #sessions = new Map<string, OpenSession>()
  readonly #busy = new Set<string>()
  #stopping = false

  constructor(parts: SmtpServerParts) {
    this.#parts = parts
    this.#connections = new SmtpConnections(parts.limits)
    this.#server = new SMTPServer({ ...toSmtpOptions(parts), ...this.#createHandlers() })
    // Errors of SMTP connections are the clients' own; `listen` throws the errors of listening.
    this.#server.on('error', () => {})
    parts.certificate?.watch(({ cert, key }) => this.#server.updateSecureContext({ cert, key }))
  }

  async listen(host: string, port: number): Promise<number> {
    const listener = this.#server.listen(port, host)
    try {
      await once(listener, 'listening')
    } catch (error) {
      const flags = this.#parts.secure ? 'smtp-tls-' : 'smtp-'
      throw listenError(error as NodeJS.ErrnoException, { host, port, flags })
    }
    return (listener.address() as AddressInfo).port
  }

  /**
   * Stops the mail server, waits at most `grace` milliseconds for mail in progress, and
   * disconnects.
   */
  async close(grace: number): Promise<void> {
    this.#stopping = true
    if (!this.#server.server.listening) return
    const closed = new Promise<void>(resolve => this.#server.server.close(() => resolve()))
    for (const socket of this.#server._pendingSockets.values()) socket.destroy()
    this.#end(id => !this.#busy.has(id))
    const cancel = this.#parts.clock.after(grace, () => this.#end(() => true))
    await closed
    cancel()
  }

  #createHandlers(): SMTPServerOptions {
    return {
      onConnect: (session, done) => replyWith(done, async () => this.#enter(session)),
      onSecure: (_socket, session, done) => {
        session.disabledCommands = disabledCommands
        done()
      },
      onAuth: ({ password }, session, done) => {
        this.#logIn(password ?? '', session).then(() => done(null, { user: session.id }), done)
      },
      onClose: session => this.#leave(session),
      onMailFrom: (_address, _session, done) =>
        replyWith(done, async () => {
          if (this.#stopping) throw stoppingError()
        }),
      onRcptTo: ({ address }, session, done) =>
        replyWith(done, async () => await this.#check(address, session)),
      onData: (stream, session, done) =>
        replyWith(done, async () => await this.#accept(stream, session)),
    }
  }

  #enter(session: SMTPServerSession): void {
    const { id, remoteAddress, secure } = session
    if (this.#stopping) throw stoppingError()
    // Keys of mailboxes are sent over TLS only (RFC 4954, section 4).
    if (this.#parts.certificate !== undefined && !secure) {
      session.disabledCommands = [...disabledCommands, 'AUTH']
    }
    for (const connection of this.#server.connections) {
      if (connection.id === id) acceptDeviceAddresses(connection, this.#parts.domain)
    }
    const address = getAddressBlock(remoteAddress)
    this.#connections.open(address)
    const { clock, limits } = this.#parts
    const cancelEnd = clock.after(limits.lifetime, () => this.#end(each => each === id))
    this.#sessions.set(id, { address, cancelEnd })
  }

  /**
   * Without a certificate a login is not checked: it gives no right that the address does not
   * give, and devices that insist on one have to send something.
   */
  async #logIn(password: string, { secure, remoteAddress }: SMTPServerSession): Promise<void> {
    if (!secure) return
    const { receiver, reportDefect } = this.#parts
    try {
      await receiver.checkLogin(password, getAddressBlock(remoteAddress))
    } catch (error) {
      throw toSmtpRejection(error, reportDefect)
    }
  }

  #leave({ id }: SMTPServerSession): void {
    const session = this.#sessions.get(id)
    if (session === undefined) return
    session.cancelEnd()
    this.#sessions.delete(id)
    this.#connections.close(session.address)
  }

  async #check(address: string, session: SMTPServerSession): Promise<void> {
    const { receiver, reportDefect } = this.#parts
    try {
      await receiver.checkRecipient(address, getAddressBlock(session.remoteAddress))
    } catch (error) {
      throw toSmtpRejection(error, reportDefect)
    }
  }

  async #accept(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const { receiver, maxSize, reportDefect, metrics } = this.#parts
    const recipients = session.envelope.rcptTo.map(({ address }) => address)
    const envelope = { sender: getSender(session), recipients }
    this.#busy.add(session.id)
    try {
      await receiver.accept(await readMailParts(stream, maxSize), envelope)
      metrics.increment('mail_total{result="accepted"}')
    } catch (error) {
      const rejection = toSmtpRejection(error, reportDefect)
      const result = rejection.responseCode < 500 ? 'deferred' : 'rejected'
      metrics.increment(`mail_total{result="${result}"}`)
      throw rejection
    } finally {
      this.#busy.delete(session.id)
      if (this.#stopping) setImmediate(() => this.#end(id => id === session.id))
    }
  }

  #end(matches: (id: string) => boolean): void {
    for (const connection of this.#server.connections) {
      if (matches(connection.id)) {
        connection.send(421, '4.3.2 Closing the connection; try again later.')
      }
    }
  }
}

class SmtpConnections {
  readonly #max: number
  readonly #open = new Map<string, number>()

  constructor({ connectionsEach }: Pick<MailLimits, 'connectionsEach'>) {
    this.#max = connectionsEach
  }

  open(address: string): void {
    const open = this.#open.get(address) ?? 0
    if (open >= this.#max) {
      throw new SmtpRejection(421, '4.7.0 Too many connections from your address.')
    }
    this.#open.set(address, open + 1)
  }

  close(address: string): void {
    const open = this.#open.get(address) ?? 0
    if (open > 1) this.#open.set(address, open - 1)
    else this.#open.delete(address)
  }
}

const disabledCommands = ['WIZ', 'SHELL', 'KILL', 'XCLIENT']

function toSmtpOptions(parts: SmtpServerParts): SMTPServerOptions {
  const { domain, maxSize, xForward, limits, certificate, secure } = parts
  return {
    name: domain,
    banner: 'smsrelay',
    size: maxSize,
    maxRecipients: limits.recipients,
    maxClients: limits.connections,
    socketTimeout: limits.idleTimeout,
    secure,
    disabledCommands:
      certificate === undefined ? [...disabledCommands, 'STARTTLS'] : disabledCommands,
    authMethods: ['PLAIN', 'LOGIN'],
    authOptional: true,
    lenientAddressParsing: true,
    disableReverseLookup: true,
    useXForward: xForward ? [...trustedPeers] : false,
    logger: false,
    ...(certificate && { cert: certificate.current.cert, key: certificate.current.key }),
  }
}

type AddressParser = (command: string, line: Buffer | string) => { address: string } | false

/**
 * Has a connection read envelope addresses as Postfix does by default: UPS cards, cameras and
 * scripts leave out `<>` or the domain, or add a name. The library has no option for them.
 */
function acceptDeviceAddresses(
  connection: { _parseAddressCommand: AddressParser },
  domain: string,
): void {
  const parse = connection._parseAddressCommand.bind(connection)
  connection._parseAddressCommand = (command, line) => {
    const [, name = '', given, bare, rest = ''] =
      /^([^:]*):\s*(?:[^<>@=]*<([^<>]*)>|([^\s<>]+))(.*)$/.exec(line.toString()) ?? []
    const address = given?.trim() ?? bare
    if (address === undefined) return parse(command, line)
    const local = address.replace(/@$/, '')
    const whole = local === '' || local.includes('@') ? local : `${local}@${domain}`
    const path = whole.replace(/\s+/g, '_')
    return parse(command, `${name.replace(/\s+/g, ' ')}:<${path}> ${rest}`)
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
