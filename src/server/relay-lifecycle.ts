import { RelayError } from '../errors.js'
import type { HttpServer } from '../net/server/http-server.js'
import { formatAddress, formatListenUrl } from '../net/server/listen-target.js'
import type { RepeatedTask } from '../util/async/repeat.js'
import type { DirectoryLock } from '../util/files/directory-lock.js'
import type { Administration } from './admin/administration.js'
import { applyConfig, type ReloadableParts } from './apply-config.js'
import { parseRelayConfig, type RelayConfig, type RelaySettings } from './config/relay-config.js'
import type { RelayMonitoring } from './monitoring/relay-monitoring.js'
import { type OpenMail, openMail } from './open-mail.js'
import type { ServiceContext } from './services/service-context.js'

export interface Relay {
  start(): Promise<void>
  /**
   * The address of the composed relay's HTTP server: `http://host:port`, `unix:/path`, or `fd:3`
   * for a Unix socket of the parent process; empty before the start.
   */
  readonly url: string
  /** The address of the composed relay's mail server, `smtp://host:port`; undefined without one. */
  readonly smtpUrl: string | undefined
  /** The same for connections that begin with TLS, `smtps://host:port`. */
  readonly smtpsUrl: string | undefined
  /** Where the composed relay serves metrics on a port of their own; undefined without one. */
  readonly metricsUrl: string | undefined
  readonly administration: Administration
  /** The composed relay's present value of each counter and gauge by its name. */
  metrics(): Record<string, number>
  /**
   * Takes over what settings change of opt-out keywords, limits and certificates; other settings
   * need a new relay. An invalid certificate is reported and the old one stays. Throws `usage`, and
   * nothing is changed then.
   */
  reload(settings: RelaySettings): Promise<void>
  /** Whether a change has been stuck in the composed relay's store for more than 5 seconds. */
  isStuck(): Promise<boolean>
  /**
   * Finishes the composed relay's work in progress and closes its store: within 10 seconds,
   * unless the store does not answer. A webhook that has no reply then is aborted, and sent again
   * after the next start.
   */
  stop(): Promise<void>
}

export interface RelayParts extends ReloadableParts {
  readonly config: RelayConfig
  readonly context: ServiceContext
  readonly administration: Administration
  readonly server: HttpServer
  readonly tasks: readonly RepeatedTask[]
  /** Serves the composed relay's metrics, if they are wanted. */
  readonly monitoring?: RelayMonitoring
  readonly lock?: DirectoryLock
  readonly reportDefect: (error: unknown) => void
}

/** Milliseconds that HTTP requests and mail in progress have when the composed relay stops. */
const grace = 6000

export class RelayLifecycle implements Relay {
  readonly #parts: RelayParts
  readonly #mailEnd = new AbortController()
  #mail: OpenMail | undefined
  #url = ''
  #metricsUrl: string | undefined
  #started: Promise<void> | undefined
  #stopped: Promise<void> | undefined

  constructor(parts: RelayParts) {
    this.#parts = parts
  }

  get administration(): Administration {
    return this.#parts.administration
  }

  metrics(): Record<string, number> {
    return this.#parts.context.metrics.values()
  }

  get url(): string {
    return this.#url
  }

  get smtpUrl(): string | undefined {
    return this.#formatMailAddress('smtp', this.#mail?.port)
  }

  get smtpsUrl(): string | undefined {
    return this.#formatMailAddress('smtps', this.#mail?.tlsPort)
  }

  #formatMailAddress(scheme: string, port: number | undefined): string | undefined {
    return port === undefined
      ? undefined
      : formatAddress(scheme, this.#parts.config.smtp.host, port)
  }

  get metricsUrl(): string | undefined {
    return this.#metricsUrl
  }

  // Callers can detach start and stop from the relay.
  readonly start = async (): Promise<void> => {
    if (this.#stopped !== undefined) {
      throw new RelayError('unavailable', 'This relay was stopped.')
    }
    this.#started ??= this.#start()
    await this.#started.catch(error => {
      this.#started = undefined
      throw error
    })
  }

  readonly stop = async (): Promise<void> => {
    this.#stopped ??= this.#stop()
    await this.#stopped
  }

  readonly reload = async (settings: RelaySettings): Promise<void> => {
    await applyConfig(parseRelayConfig(settings), this.#parts)
  }

  async #start(): Promise<void> {
    const { config, context, services, certificates, server, tasks, reportDefect } = this.#parts
    this.#metricsUrl ??= await this.#parts.monitoring?.start()
    await services.statistics.sweep().catch(reportDefect)
    this.#mail ??= await openMail(config.smtp, {
      context,
      mailboxes: services.mailboxes,
      messages: services.messages,
      certificate: certificates.smtp,
      signal: this.#mailEnd.signal,
      reportDefect,
    })
    const scheme = config.tls === undefined ? 'http' : 'https'
    await server.listen(config.listen)
    this.#url = formatListenUrl(scheme, config.listen, server.address)
    if (server.address === undefined) assertBaseUrl(config.baseUrl, this.#url)
    await services.pauseAlerts?.start()
    await services.receivedMail?.start()
    await services.dispatcher.start()
    if (config.sandbox) await services.sandbox.start()
    for (const task of tasks) task.start()
  }

  readonly isStuck = async (): Promise<boolean> => {
    const failure = await this.#parts.context.store.findFailure()
    return failure?.isStuck === true
  }

  /** The store and the lock are released even if another part fails. */
  async #stop(): Promise<void> {
    const { context, monitoring, lock } = this.#parts
    const ends = [
      async () => await this.#endWork(),
      async () => await context.store.close(),
      async () => await monitoring?.stop(),
      async () => await lock?.release(),
    ]
    const failures: unknown[] = []
    for (const end of ends) await end().catch(error => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }

  async #endWork(): Promise<void> {
    const { services, server, tasks, reportDefect } = this.#parts
    services.readiness.startDraining()
    services.claims.stop()
    services.retention.stop()
    services.events.stop()
    this.#mailEnd.abort()
    await this.#started?.catch(() => {})
    services.sandbox.stop()
    // Each of them has a limit of its own, so together they take no longer than the longest.
    const ends = await Promise.allSettled([
      ...tasks.map(async task => await task.stop()),
      this.#mail?.close(grace),
      server.isListening ? server.close(grace) : undefined,
      services.dispatcher.stop(),
      services.pauseAlerts?.stop(),
      services.receivedMail?.stop(),
    ])
    await services.phones.save().catch(reportDefect)
    const failed = ends.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }
}

/** Nobody can reach the relay at the address of a Unix socket. */
function assertBaseUrl(baseUrl: string | undefined, url: string): void {
  if (baseUrl !== undefined) return
  throw new RelayError('configuration', `The Unix socket ${url} needs a base URL for links.`, {
    hint: 'Give the address of the proxy in front of the relay with --base-url.',
  })
}
