import { isRelayError, RelayError } from '../errors.js'
import { createAddressPolicy } from '../net/address-policy.js'
import { HttpServer } from '../net/server/http-server.js'
import { type Clock, createClock } from '../util/async/clock.js'
import { repeat } from '../util/async/repeat.js'
import type { PasswordCost } from '../util/crypto/password-hash.js'
import { createUuidGenerator } from '../util/crypto/uuid-v7.js'
import type { DirectoryLock } from '../util/files/directory-lock.js'
import type { Administration } from './admin/administration.js'
import { createLocalAdministration } from './admin/local-administration.js'
import { serveAdministration } from './admin/socket-administration.js'
import { createApp } from './app.js'
import type { RelayConfig } from './config/relay-config.js'
import { createSecureCheck, getBaseAddress } from './http/base-address.js'
import { createClientAddressGetter } from './http/client-address.js'
import { type OpenMail, openMail } from './open-mail.js'
import { AccountService } from './services/accounts/account-service.js'
import { SignInThrottle, secretUrlThrottleSettings } from './services/accounts/sign-in-throttle.js'
import { TokenService } from './services/accounts/token-service.js'
import { DoNotTextService } from './services/messages/do-not-text-service.js'
import { MailboxService } from './services/messages/mailbox-service.js'
import { MessageService } from './services/messages/message-service.js'
import { SecretUrlService } from './services/messages/secret-url-service.js'
import { ClaimService } from './services/phones/claim-service.js'
import { PhoneService } from './services/phones/phone-service.js'
import { ReceivedTextService } from './services/phones/received-text-service.js'
import { Sandbox } from './services/phones/sandbox.js'
import { RetentionService } from './services/retention-service.js'
import type { ServiceContext } from './services/service-context.js'
import { StatisticsService } from './services/statistics-service.js'
import { DeliveryLogService } from './services/webhooks/delivery-log-service.js'
import { EventService } from './services/webhooks/event-service.js'
import { toDelivery } from './services/webhooks/next-delivery.js'
import { SigningSecretService } from './services/webhooks/signing-secret-service.js'
import { SubscriptionService } from './services/webhooks/subscription-service.js'
import type { Store } from './store/store.js'
import { createWebhookDispatcher } from './webhooks/webhook-dispatcher.js'

/** Parts that a test or an embedding program may replace. */
export interface RelayOverrides {
  /** @default the clock of this machine */
  readonly clock?: Clock
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
const sweepInterval = 60_000
const leaseCheckInterval = 1000
const statisticsInterval = 60 * sweepInterval

/** Puts the parts of a relay together around an open store (CONTRIBUTING.md: the composition root). */
export function composeRelay(
  config: RelayConfig,
  overrides: RelayOverrides,
  store: Store,
  lock: DirectoryLock,
): Relay {
  const { clock = createClock() } = overrides
  const reportDefect = ignoreUnavailable(overrides.reportDefect)
  const { newId = createUuidGenerator(), passwordCost } = overrides
  const context: ServiceContext = { store, clock, newId, passwordCost }
  const tokens = new TokenService(context, config.tokenLifetime)
  const claims = new ClaimService(context, config.lease)
  const phones = new PhoneService(context)
  const statistics = new StatisticsService(context)
  const blocklist = new DoNotTextService(context)
  const accounts = new AccountService(context)
  const retention = new RetentionService(context, config.retain)
  const sandbox = new Sandbox(context)
  const policy = createAddressPolicy({ loopback: config.hookLoopback, allow: config.hookAllow })
  const subscriptions = new SubscriptionService(context, policy)
  const dispatcher = createWebhookDispatcher({
    ...{
      store,
      clock,
      policy,
      random: Math.random,
      onError: reportDefect,
    },
    onAttempt: attempt => store.deliveryLog.record(toDelivery(attempt, context.newId())),
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
    received: new ReceivedTextService(context, config.keywords),
    mailboxes,
    signingSecrets: new SigningSecretService(context),
    subscriptions,
    deliveries: new DeliveryLogService(context, subscriptions, dispatcher.resend),
    ...{ claims, phones, statistics },
    tokens,
    accounts,
    doNotText: blocklist,
    events,
    limits: config.limits,
    signInThrottle: new SignInThrottle(clock),
    secretUrls: new SecretUrlService(context, messages),
    secretUrlThrottle: new SignInThrottle(clock, secretUrlThrottleSettings),
    getClientAddress: createClientAddressGetter(config.trustProxy, overrides.warn),
    isSecure: createSecureCheck(config.baseUrl, config.trustProxy),
    now: clock.now,
    getBaseUrl: request => config.baseUrl ?? getBaseAddress(request) ?? url,
    reportDefect,
  })
  const server = new HttpServer(app, config.limits)
  const options = { clock, onError: reportDefect }
  const chores = [
    repeat(sweepInterval, async () => await tokens.sweep(), options),
    repeat(
      sweepInterval,
      async () => await store.messages.deleteExpiredIdempotencyKeys(clock.now()),
      options,
    ),
    repeat(sweepInterval, async () => await retention.sweep(), options),
    repeat(sweepInterval, async () => await phones.save(), options),
    repeat(statisticsInterval, async () => await statistics.sweep(), options),
    repeat(leaseCheckInterval, async () => await claims.settleExpiredLeases(), options),
  ]
  const administration = createLocalAdministration(accounts, blocklist, async () => {})
  lock.serve(socket => serveAdministration(administration, socket))
  const start = async (): Promise<void> => {
    await phones.open()
    await statistics.sweep().catch(reportDefect)
    mail ??= await openMail(config.smtp, mailParts)
    url = formatAddress('http', config.host, await server.listen(config))
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
    if (server.isListening) await server.close(grace)
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
      return mail && formatAddress('smtp', config.smtp.host, mail.port)
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
function ignoreUnavailable(report: (error: unknown) => void = () => {}): (error: unknown) => void {
  return error => {
    if (!isRelayError(error, 'unavailable')) report(error)
  }
}

function formatAddress(scheme: string, host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
