import type { Administration } from '../admin/administration.js'
import { localAdministration } from '../admin/local.js'
import { serveAdministration } from '../admin/protocol.js'
import type { Config } from '../config/config.js'
import { createDispatcher } from '../delivery/dispatcher.js'
import { isRelayError, RelayError } from '../errors.js'
import { createApp } from '../http/app.js'
import { baseAddress } from '../http/base-address.js'
import { remoteAddresses } from '../http/remote-address.js'
import { close, createHttpServer, listen } from '../http/server.js'
import { AccountService } from '../services/accounts.js'
import { BlocklistService } from '../services/blocklist.js'
import { ClaimService } from '../services/claims.js'
import type { ServiceContext } from '../services/context.js'
import { loggedAttempt } from '../services/deliveries.js'
import { DeliveryLogService } from '../services/delivery-log.js'
import { EventService } from '../services/events.js'
import { GuessGuard } from '../services/guess-guard.js'
import { HookSecretService } from '../services/hook-secrets.js'
import { MessageService } from '../services/messages.js'
import { ReceivedService } from '../services/received.js'
import { RetentionService } from '../services/retention.js'
import { Sandbox } from '../services/sandbox.js'
import { SubscriptionService } from '../services/subscriptions.js'
import { TokenService } from '../services/tokens.js'
import type { Store } from '../store/store.js'
import { addressPolicy } from '../util/address-policy.js'
import type { DirectoryLock } from '../util/directory-lock.js'
import { every } from '../util/every.js'
import { orderedUuids } from '../util/uuid.js'

/** Parts that a test or an embedding program may replace. */
export interface RelayOverrides {
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  readonly newId?: () => string
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
  readonly administration: Administration
  /** Finishes what is in hand and lets go of everything. */
  stop(): Promise<void>
}

const grace = 10_000
const sweepEvery = 60_000
const lapseEvery = 1000

/** Puts the parts of a relay together around an open store (CONTRIBUTING.md: the composition root). */
export function composeRelay(
  config: Config,
  overrides: RelayOverrides,
  store: Store,
  lock: DirectoryLock,
): Relay {
  const now = overrides.now ?? Date.now
  const reportDefect = defectsAmong(overrides.reportDefect)
  const context: ServiceContext = { store, now, newId: overrides.newId ?? orderedUuids() }
  const tokens = new TokenService(context, config.tokenLifetime)
  const claims = new ClaimService(context, config.lease)
  const blocklist = new BlocklistService(context)
  const retention = new RetentionService(context, config.retain)
  const sandbox = new Sandbox(context)
  const policy = addressPolicy({ loopback: config.hookLoopback, allow: config.hookAllow })
  const subscriptions = new SubscriptionService(context, policy)
  const dispatcher = createDispatcher({
    ...{ store, now, policy, random: Math.random, onTrouble: reportDefect },
    onAttempt: attempt => store.deliveries.record(loggedAttempt(attempt, context.newId())),
  })
  const events = new EventService(context, tokens)
  let url = ''
  let started: Promise<void> | undefined
  let stopped: Promise<void> | undefined
  const server = createHttpServer(
    createApp({
      messages: new MessageService(context),
      received: new ReceivedService(context, config.words),
      hookSecrets: new HookSecretService(context),
      subscriptions,
      deliveries: new DeliveryLogService(context, subscriptions, dispatcher.resend),
      claims,
      tokens,
      blocklist,
      events,
      limits: config.limits,
      guard: new GuessGuard(now),
      remoteOf: remoteAddresses(config.trustProxy, overrides.warn),
      baseOf: request => config.baseUrl ?? baseAddress(request) ?? url,
      reportDefect,
    }),
    config.limits,
  )
  const chores = [
    every(sweepEvery, async () => await tokens.sweep(), reportDefect),
    every(sweepEvery, async () => await store.messages.forgetOnce(now()), reportDefect),
    every(sweepEvery, async () => await retention.sweep(), reportDefect),
    every(lapseEvery, async () => await claims.settleLapsed(), reportDefect),
  ]
  const administration = localAdministration(new AccountService(context), blocklist, async () => {})
  lock.serve(socket => serveAdministration(administration, socket))
  const start = async (): Promise<void> => {
    url = addressOf(config.host, await listen(server, config))
    await dispatcher.start()
    if (config.sandbox) await sandbox.start()
    for (const chore of chores) chore.start()
  }
  const stop = async (): Promise<void> => {
    claims.stop()
    retention.stop()
    events.stop()
    await started?.catch(() => {})
    for (const chore of chores) await chore.stop()
    if (server.listening) await close(server, grace)
    sandbox.stop()
    await dispatcher.stop()
    await store.close()
    await lock.release()
  }
  return {
    administration,
    get url() {
      return url
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

function addressOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
