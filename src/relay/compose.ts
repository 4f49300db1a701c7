import type { Administration } from '../admin/administration.js'
import { localAdministration } from '../admin/local.js'
import { serveAdministration } from '../admin/protocol.js'
import type { Config } from '../config/config.js'
import { createDispatcher } from '../delivery/dispatcher.js'
import { isRelayError, RelayError } from '../errors.js'
import { createApp } from '../http/app.js'
import { baseAddress, secureRequests } from '../http/base-address.js'
import { remoteAddresses } from '../http/remote-address.js'
import { close, createHttpServer, listen } from '../http/server.js'
import { AccountService } from '../services/accounts.js'
import { BlocklistService } from '../services/blocklist.js'
import { ClaimService } from '../services/claims.js'
import type { ServiceContext } from '../services/context.js'
import { loggedAttempt } from '../services/deliveries.js'
import { DeliveryLogService } from '../services/delivery-log.js'
import { EventService } from '../services/events.js'
import { GuessGuard, urlGuardSettings } from '../services/guess-guard.js'
import { HookSecretService } from '../services/hook-secrets.js'
import { MailboxService } from '../services/mailboxes.js'
import { MessageService } from '../services/messages.js'
import { PhoneService } from '../services/phones.js'
import { ReceivedService } from '../services/received.js'
import { RetentionService } from '../services/retention.js'
import { Sandbox } from '../services/sandbox.js'
import { SecretUrlService } from '../services/secret-urls.js'
import { StatisticsService } from '../services/statistics.js'
import { SubscriptionService } from '../services/subscriptions.js'
import { TokenService } from '../services/tokens.js'
import type { Store } from '../store/store.js'
import { addressPolicy } from '../util/address-policy.js'
import type { DirectoryLock } from '../util/directory-lock.js'
import { every } from '../util/every.js'
import type { PasswordCost } from '../util/secrets.js'
import { orderedUuids } from '../util/uuid.js'
import { type OpenMail, openMail } from './mail.js'

/** Parts that a test or an embedding program may replace. */
export interface RelayOverrides {
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  readonly newId?: () => string
  /** What it takes to try a password that is set from now on. @default N 32,768, r 8, p 1: about a tenth of a second */
  readonly passwordCost?: PasswordCost
  readonly openStore?: (directory: string) => Promise<Store>
  /** Told in one sentence of things worth knowing. */
  readonly warn?: (sentence: string) => void
  /** Told of errors that nobody foresaw. */
  readonly reportDefect?: (error: unknown) => void
}

/** A relay that holds its data directory. */
export interface Relay {
  /**
   * Starts to serve and to deliver. Throws `configuration` when it cannot listen, which may be tried again, and
   * `unavailable` after a stop.
   */
  start(): Promise<void>
  /** Where it listens, once started. */
  readonly url: string
  /** Where it takes mail, `smtp://host:port`, once started; undefined where it takes none. */
  readonly smtpUrl: string | undefined
  readonly administration: Administration
  /** Finishes what is in hand and lets go of everything. */
  stop(): Promise<void>
}

const grace = 10_000
const sweepEvery = 60_000
const lapseEvery = 1000
const statisticsEvery = 60 * sweepEvery

/** Puts the parts of a relay together around an open store (CONTRIBUTING.md: the composition root). */
export function composeRelay(
  config: Config,
  overrides: RelayOverrides,
  store: Store,
  lock: DirectoryLock,
): Relay {
  const now = overrides.now ?? Date.now
  const reportDefect = defectsAmong(overrides.reportDefect)
  const { newId = orderedUuids(), passwordCost } = overrides
  const context: ServiceContext = { store, now, newId, passwordCost }
  const tokens = new TokenService(context, config.tokenLifetime)
  const claims = new ClaimService(context, config.lease)
  const phones = new PhoneService(context)
  const statistics = new StatisticsService(context)
  const blocklist = new BlocklistService(context)
  const accounts = new AccountService(context)
  const retention = new RetentionService(context, config.retain)
  const sandbox = new Sandbox(context)
  const policy = addressPolicy({ loopback: config.hookLoopback, allow: config.hookAllow })
  const subscriptions = new SubscriptionService(context, policy)
  const dispatcher = createDispatcher({
    ...{ store, now, policy, random: Math.random, onTrouble: reportDefect },
    onAttempt: attempt => store.deliveries.record(loggedAttempt(attempt, context.newId())),
  })
  const events = new EventService(context, tokens)
  const messages = new MessageService(context)
  const receiving = config.smtp.port !== undefined
  const mailboxes = new MailboxService(context, { domain: config.smtp.domain, receiving })
  const mailEnd = new AbortController()
  const mailParts = { context, mailboxes, messages, signal: mailEnd.signal, reportDefect }
  let mail: OpenMail | undefined
  let url = ''
  let started: Promise<void> | undefined
  let stopped: Promise<void> | undefined
  const app = createApp({
    messages,
    received: new ReceivedService(context, config.words),
    mailboxes,
    hookSecrets: new HookSecretService(context),
    subscriptions,
    deliveries: new DeliveryLogService(context, subscriptions, dispatcher.resend),
    ...{ claims, phones, statistics },
    tokens,
    accounts,
    blocklist,
    events,
    limits: config.limits,
    guard: new GuessGuard(now),
    urls: new SecretUrlService(context, messages),
    urlGuard: new GuessGuard(now, urlGuardSettings),
    remoteOf: remoteAddresses(config.trustProxy, overrides.warn),
    isSecure: secureRequests(config.baseUrl, config.trustProxy),
    now,
    baseOf: request => config.baseUrl ?? baseAddress(request) ?? url,
    reportDefect,
  })
  const server = createHttpServer(app.handle, config.limits, app.answer)
  const chores = [
    every(sweepEvery, async () => await tokens.sweep(), reportDefect),
    every(sweepEvery, async () => await store.messages.forgetOnce(now()), reportDefect),
    every(sweepEvery, async () => await retention.sweep(), reportDefect),
    every(sweepEvery, async () => await phones.save(), reportDefect),
    every(statisticsEvery, async () => await statistics.sweep(), reportDefect),
    every(lapseEvery, async () => await claims.settleLapsed(), reportDefect),
  ]
  const administration = localAdministration(accounts, blocklist, async () => {})
  lock.serve(socket => serveAdministration(administration, socket))
  const start = async (): Promise<void> => {
    await phones.open()
    await statistics.sweep().catch(reportDefect)
    mail ??= await openMail(config.smtp, mailParts)
    url = addressOf('http', config.host, await listen(server, config))
    await dispatcher.start()
    if (config.sandbox) await sandbox.start()
    for (const chore of chores) chore.start()
  }
  const stop = async (): Promise<void> => {
    claims.stop()
    retention.stop()
    events.stop()
    mailEnd.abort()
    await started?.catch(() => {})
    for (const chore of chores) await chore.stop()
    await mail?.server.close(grace)
    if (server.listening) await close(server, grace)
    sandbox.stop()
    await dispatcher.stop()
    await phones.save().catch(reportDefect)
    await store.close()
    await lock.release()
  }
  return {
    administration,
    get url() {
      return url
    },
    get smtpUrl() {
      return mail && addressOf('smtp', config.smtp.host, mail.port)
    },
    start: async () => {
      if (stopped !== undefined) throw new RelayError('unavailable', 'This relay was stopped.')
      started ??= start()
      await started.catch(error => {
        started = undefined
        throw error
      })
    },
    stop: async () => {
      stopped ??= stop()
      await stopped
    },
  }
}

/** A store that cannot be written for a while is no defect: it says so itself, and whoever waits for it tries again. */
function defectsAmong(report: (error: unknown) => void = () => {}): (error: unknown) => void {
  return error => {
    if (!isRelayError(error, 'unavailable')) report(error)
  }
}

function addressOf(scheme: string, host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
