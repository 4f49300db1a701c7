import { v7 as uuidv7 } from 'uuid'
import type { Administration } from './admin/administration.js'
import { localAdministration } from './admin/local.js'
import { remoteAdministration, serveAdministration } from './admin/protocol.js'
import { type Config, type RelaySettings, toConfig } from './config/config.js'
import { createDispatcher } from './delivery/dispatcher.js'
import { createApp } from './http/app.js'
import { baseAddress } from './http/base-address.js'
import { close, createHttpServer, listen } from './http/server.js'
import { AccountService } from './services/accounts.js'
import { BlocklistService } from './services/blocklist.js'
import { ClaimService } from './services/claims.js'
import type { ServiceContext } from './services/context.js'
import { MessageService } from './services/messages.js'
import { Sandbox } from './services/sandbox.js'
import { SubscriptionService } from './services/subscriptions.js'
import { TokenService } from './services/tokens.js'
import { openLowdbStore } from './store/lowdb/lowdb-store.js'
import type { Store } from './store/store.js'
import { connectToHolder, type DirectoryLock, lockDirectory } from './util/directory-lock.js'
import { every } from './util/every.js'

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
  /** Starts to serve and to deliver. Throws `configuration` when it cannot listen. */
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

/**
 * Opens a relay on its data directory. Throws `configuration`, `directory_in_use` and `damaged_data`.
 *
 * @example
 * const relay = await createRelay({ dataDir: './data', port: 0 })
 * await relay.start()
 */
export async function createRelay(
  settings: RelaySettings,
  overrides: RelayOverrides = {},
): Promise<Relay> {
  const config = toConfig(settings)
  const lock = await lockDirectory(config.dataDir)
  try {
    const store = await openStore(config, overrides)
    return compose(config, overrides, store, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

/**
 * Administration of a data directory: through the service that runs on it, else by holding it meanwhile.
 * Throws `configuration` and `damaged_data`.
 */
export async function openAdministration(dataDir: string): Promise<Administration> {
  const { dataDir: directory } = toConfig({ dataDir })
  const socket = await connectToHolder(directory)
  if (socket !== undefined) return remoteAdministration(socket)
  const relay = await createRelay({ dataDir: directory })
  return { ...relay.administration, close: async () => await relay.stop() }
}

async function openStore(config: Config, overrides: RelayOverrides): Promise<Store> {
  if (overrides.openStore !== undefined) return await overrides.openStore(config.dataDir)
  const { now, warn } = overrides
  return await openLowdbStore(config.dataDir, {
    ...(now === undefined ? {} : { now }),
    ...(warn === undefined ? {} : { warn }),
  })
}

function compose(
  config: Config,
  overrides: RelayOverrides,
  store: Store,
  lock: DirectoryLock,
): Relay {
  const now = overrides.now ?? Date.now
  const reportDefect = overrides.reportDefect ?? (() => {})
  const context: ServiceContext = { store, now, newId: overrides.newId ?? uuidv7 }
  const tokens = new TokenService(context, config.tokenLifetime)
  const claims = new ClaimService(context, config.lease)
  const blocklist = new BlocklistService(context)
  const sandbox = new Sandbox(context)
  const dispatcher = createDispatcher({ store, now })
  let url = ''
  const server = createHttpServer(
    createApp({
      messages: new MessageService(context),
      subscriptions: new SubscriptionService(context),
      claims,
      tokens,
      blocklist,
      baseOf: request => config.baseUrl ?? baseAddress(request) ?? url,
      reportDefect,
    }),
  )
  const chores = [
    every(sweepEvery, async () => await tokens.sweep(), reportDefect),
    every(lapseEvery, async () => await claims.settleLapsed(), reportDefect),
  ]
  const administration = localAdministration(new AccountService(context), blocklist, async () => {})
  lock.serve(socket => serveAdministration(administration, socket))
  return {
    administration,
    get url() {
      return url
    },
    start: async () => {
      url = addressOf(config.host, await listen(server, config))
      await dispatcher.start()
      if (config.sandbox) await sandbox.start()
      for (const chore of chores) chore.start()
    },
    stop: async () => {
      claims.stop()
      for (const chore of chores) await chore.stop()
      if (server.listening) await close(server, grace)
      sandbox.stop()
      await dispatcher.stop()
      await store.close()
      await lock.release()
    },
  }
}

function addressOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
