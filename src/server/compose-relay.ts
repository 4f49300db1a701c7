import { isRelayError } from '../errors.js'
import type { ConnectionLimits } from '../net/server/connection-limits.js'
import type { RequestHandler } from '../net/server/http-connection.js'
import type { RequestMetadata } from '../net/server/http-request.js'
import { HttpServer } from '../net/server/http-server.js'
import type { Clock } from '../util/async/clock.js'
import { type RepeatedTask, repeat } from '../util/async/repeat.js'
import { monitorTurns } from '../util/async/turn-monitor.js'
import { LimitedCounts } from '../util/collections/limited-counts.js'
import type { PasswordCost } from '../util/crypto/password-hash.js'
import { createUuidGenerator } from '../util/crypto/uuid-v7.js'
import type { DirectoryLock } from '../util/files/directory-lock.js'
import { createLocalAdministration } from './admin/local-administration.js'
import { serveAdministration } from './admin/socket-administration.js'
import { createApp } from './app.js'
import type { ReloadableParts } from './apply-config.js'
import type { RelayConfig } from './config/relay-config.js'
import {
  createSecureCheck,
  getBaseAddress,
  refuseForeignHosts,
  serveBelow,
} from './http/base-address.js'
import { createClientAddressGetter } from './http/client-address.js'
import { type ReportDefect, sendRefusal } from './http/http-errors.js'
import { limitRequests } from './http/request-limit.js'
import type { ServerContext } from './http/server-context.js'
import { type Log, silentLog } from './log/log.js'
import { createRequestLog } from './log/request-log.js'
import { addRelayGauges } from './monitoring/relay-gauges.js'
import { RelayMonitoring } from './monitoring/relay-monitoring.js'
import { observeRequests } from './monitoring/request-metrics.js'
import type { RelayCertificates } from './relay-certificates.js'
import { type Relay, RelayLifecycle } from './relay-lifecycle.js'
import { createServices, type Services } from './relay-services.js'
import { SignInThrottle } from './services/accounts/sign-in-throttle.js'
import { auditServices } from './services/audit/audited-services.js'
import { SecretUrlThrottle } from './services/messages/secret-url-throttle.js'
import { RelayStateService } from './services/relay-state-service.js'
import type { ServiceContext } from './services/service-context.js'
import type { Store } from './store/store.js'

type SetConnectionLimits = ReloadableParts['setConnectionLimits']

export interface RelayOverrides {
  /**
   * The composed relay's clock; with a database only its monotonic time and its timers. @default
   * the clock of this machine
   */
  readonly clock?: Clock
  /**
   * Time of the composed relay in milliseconds since the epoch. @default that of the database, or
   * else of the clock
   */
  readonly now?: () => number
  /**
   * Creates identifiers in the composed relay; each must sort after the one before. @default UUIDs
   * of version 7
   */
  readonly newId?: () => string
  /**
   * The composed relay's cost of checking a new password. @default N 32,768, r 8, p 1: about a
   * tenth of a second
   */
  readonly passwordCost?: PasswordCost
  /** Opens the composed relay's store. @default a lowdb store in the data directory */
  readonly openStore?: (
    directory: string,
    observers: Pick<ServiceContext, 'metrics' | 'problems'>,
  ) => Promise<Store>
  /** Version of the program, shown by the dashboard and by `database status`. @default unknown */
  readonly version?: string
  readonly warn?: (sentence: string) => void
  readonly reportDefect?: ReportDefect
  /** Receives the composed relay's events, such as its HTTP requests. @default none */
  readonly log?: Log
}

const sweepInterval = 60_000
const leaseCheckInterval = 1000
const statisticsInterval = 60 * sweepInterval
/** Milliseconds until other nodes know what this one has learned of a phone, at most. */
const sharedSaveInterval = 10_000

export type ComposedParts = Omit<ServiceContext, 'newId' | 'passwordCost' | 'retain'> & {
  readonly certificates: RelayCertificates
}

export function composeRelay(
  config: RelayConfig,
  overrides: RelayOverrides,
  { certificates, ...core }: ComposedParts,
  lock?: DirectoryLock,
): Relay {
  const { clock } = core
  const reportDefect = ignoreUnavailable(overrides.reportDefect)
  const { newId = createUuidGenerator(clock.now), passwordCost, warn = () => {} } = overrides
  const context: ServiceContext = { ...core, newId, passwordCost, retain: config.retain }
  const services = createServices(config, context, reportDefect)
  // The app needs the address of the server, which is known once the server listens.
  const getUrl = (): string => relay.url
  const getBaseUrl = (): string => config.baseUrl ?? getUrl()
  const administration = createLocalAdministration({ ...services, getBaseUrl }, async () => {})
  lock?.serve(socket => serveAdministration(administration, socket))
  const monitoring = openMonitoring(config, context, services, overrides)
  const settings = createRequestSettings(config, overrides, getUrl)
  const shared = createSharedParts(context, overrides)
  auditServices({ ...services, ...shared }, services.audit)
  const { limits } = config
  const app = createApp(
    { ...services, ...settings, ...shared, limits, now: clock.now, reportDefect },
    monitoring?.createRoutes(),
  )
  const guarded = refuseForeignHosts(config, () => http.server.address?.address, app)
  const observed = monitoring === undefined ? guarded : observeRequests(guarded, core)
  const handler = serveBelow(config.baseUrl, observed)
  const http = createHttpServer(handler, config, {
    ...core,
    ...settings,
    certificates,
    log: overrides.log,
  })
  const relay = new RelayLifecycle({
    config,
    context,
    services,
    administration,
    certificates,
    ...http,
    warn,
    tasks: [...createTasks(context, services, reportDefect), certificates.createTask(clock, warn)],
    reportDefect,
    ...(monitoring === undefined ? {} : { monitoring }),
    ...(lock === undefined ? {} : { lock }),
  })
  return relay
}

function createRequestSettings(
  config: RelayConfig,
  { warn }: RelayOverrides,
  getUrl: () => string,
): Pick<ServerContext, 'getClientAddress' | 'isSecure' | 'getBaseUrl'> {
  const isSecure = createSecureCheck(config)
  const findBaseAddress = (request: RequestMetadata): string | undefined =>
    getBaseAddress(request, isSecure(request) ? 'https' : 'http')
  return {
    getClientAddress: createClientAddressGetter(config.trustProxy, warn),
    isSecure,
    getBaseUrl: request => config.baseUrl ?? findBaseAddress(request) ?? getUrl(),
  }
}

function createSharedParts(
  context: ServiceContext,
  { version }: RelayOverrides,
): Pick<ServerContext, 'relayState' | 'signInThrottle' | 'secretUrlThrottle'> {
  return {
    relayState: new RelayStateService(context, version),
    signInThrottle: new SignInThrottle(context),
    secretUrlThrottle: new SecretUrlThrottle(context),
  }
}

/** Without a port and a token for metrics, the composed relay has none. */
function openMonitoring(
  config: RelayConfig,
  context: ServiceContext,
  services: Services,
  { version = 'unknown', reportDefect = () => {}, log = silentLog }: RelayOverrides,
): RelayMonitoring | undefined {
  const { listen, token } = config.metrics
  if (listen === undefined && token === undefined) return undefined
  const { metrics, clock, store } = context
  const kind = store.isShared ? 'database' : 'directory'
  const labels = `version="${version}",node="${process.version}",store="${kind}"`
  metrics.set(`build_info{${labels}}`, 1)
  metrics.addSource(() => metrics.set('log_dropped_total', log.dropped ?? 0))
  addRelayGauges(context, services)
  const { readiness } = services
  const parts = { metrics, clock, readiness, reportDefect }
  return new RelayMonitoring({ ...parts, config: config.metrics, hosts: config })
}

/** With a trusted proxy, the limit of an address counts requests instead of connections. */
function createHttpServer(
  app: RequestHandler,
  { trustProxy, limits }: RelayConfig,
  observers: Pick<ComposedParts, 'clock' | 'metrics' | 'certificates'> &
    Pick<ServerContext, 'getClientAddress'> & { readonly log: Log | undefined },
): { readonly server: HttpServer; readonly setConnectionLimits: SetConnectionLimits } {
  const { clock, metrics, certificates, log = silentLog } = observers
  const tracker = createRequestLog({ log, clock, trustProxy })
  const certificate = certificates.http
  const getClient = observers.getClientAddress
  const options = { clock, metrics, certificate, tracker, sendRefusal, getClient }
  if (trustProxy === undefined) {
    const server = new HttpServer(app, { ...options, limits })
    return { server, setConnectionLimits: next => server.setLimits(next) }
  }
  const inProgress = new LimitedCounts(limits.connectionsPerAddress)
  const handler = limitRequests(app, { ...observers, inProgress, trustProxy })
  const connectionsPerAddress = Number.POSITIVE_INFINITY
  const toOwn = (given: ConnectionLimits) => ({ ...given, connectionsPerAddress })
  const server = new HttpServer(handler, { ...options, limits: toOwn(limits) })
  const setConnectionLimits: SetConnectionLimits = next => {
    inProgress.setMax(next.connectionsPerAddress)
    server.setLimits(toOwn(next))
  }
  return { server, setConnectionLimits }
}

function createTasks(
  { store, clock, metrics }: ServiceContext,
  { tokens, retention, phones, statistics, claims, subscriptions }: Services,
  onError: ReportDefect,
): RepeatedTask[] {
  const every = (interval: number, task: () => Promise<void>): RepeatedTask =>
    repeat(interval, task, { clock, onError })
  const chore = (name: string, interval: number, work: () => Promise<void>): RepeatedTask =>
    every(interval, async () => await store.runExclusively(name, work))
  return [
    monitorTurns(({ elapsed, computed }) => {
      metrics.setMaximum('event_loop_longest_turn_seconds', elapsed / 1000)
      metrics.setMaximum('event_loop_longest_turn_cpu_seconds', computed / 1000)
    }),
    every(sweepInterval, async () => await tokens.storeExtensions()),
    chore('tokens', sweepInterval, async () => await tokens.removeExpired()),
    chore('expired', sweepInterval, async () => await store.deleteExpired(clock.now())),
    chore('listeners', sweepInterval, async () => await subscriptions.removeAbandoned()),
    chore('retention', sweepInterval, async () => await retention.sweep()),
    every(store.isShared ? sharedSaveInterval : sweepInterval, async () => await phones.save()),
    chore('phones', statisticsInterval, async () => await phones.removeOld()),
    chore('statistics', statisticsInterval, async () => await statistics.sweep()),
    chore('leases', leaseCheckInterval, async () => await claims.settleExpiredLeases()),
  ]
}

/**
 * A full disk is not a defect of the composed relay: the store warns about it, and the caller tries
 * again.
 */
export function ignoreUnavailable(report: ReportDefect = () => {}): ReportDefect {
  return (error, requestId) => {
    if (!isRelayError(error, 'unavailable')) report(error, requestId)
  }
}
