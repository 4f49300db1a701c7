// A relay from its data directory to a running server:
// 1. createRelay checks the settings (config/), locks the data directory and opens the store.
// 2. compose-relay creates everything around the store: the services (relay-services), the app
//    with its routes (app), the HTTP server, and the tasks that run at intervals.
// 3. relay-lifecycle starts the parts in order and stops them in order; open-mail adds the mail
//    server if the settings have a port for it.
// openAdministration is the other entry: it manages accounts through the relay that holds the data
// directory, or opens the directory itself until `close`. data-directory checks, repairs, imports,
// exports and backs up a directory without a relay.

import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProblemList } from '../domain/account/problem-list.js'
import { isRelayError, RelayError } from '../errors.js'
import { Metrics } from '../util/collections/metrics.js'
import { connectToHolder, lockDirectory } from '../util/files/directory-lock.js'
import type { Administration } from './admin/administration.js'
import { createSocketAdministration } from './admin/socket-administration.js'
import { composeRelay, type RelayOverrides } from './compose-relay.js'
import { parseRelayConfig, type RelayConfig, type RelaySettings } from './config/relay-config.js'
import { checkOpenFiles } from './open-files.js'
import type { Relay } from './relay-lifecycle.js'
import { type LowdbStoreOptions, openLowdbStore } from './store/lowdb/lowdb-store.js'
import type { Store } from './store/store.js'

export type { RelayOverrides } from './compose-relay.js'
export type { Relay } from './relay-lifecycle.js'

/**
 * Opens a relay on its data directory. Throws `usage`, `configuration`, `directory_in_use` and
 * `damaged_data`.
 *
 * @example
 * const relay = await createRelay({ dataDir: './data', port: 0 })
 * await relay.start()
 */
export async function createRelay(
  settings: RelaySettings,
  overrides: RelayOverrides = {},
): Promise<Relay> {
  const config = parseRelayConfig(settings)
  const lock = await lockDirectory(config.dataDir)
  try {
    if (await isOpenToOthers(config.dataDir)) {
      overrides.warn?.(formatPermissionsWarning(config.dataDir))
    }
    const openFiles = await checkOpenFiles(config.limits.connections)
    if (openFiles !== undefined) overrides.warn?.(openFiles)
    const observers = { metrics: new Metrics(), problems: new ProblemList() }
    const store = await openStore(config, overrides, observers)
    return composeRelay(config, overrides, { store, ...observers }, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

export interface AdministrationOptions {
  /** Whether to create a missing data directory of the relay. @default false */
  readonly create?: boolean
}

const maxAttempts = 10
/** Milliseconds until the other relay's lock is tried again. */
const retryDelay = 50

/**
 * Opens the administration of a data directory: through the relay that holds the directory, or by
 * locking it until `close`. Throws `usage`, `configuration`, `directory_in_use` and `damaged_data`.
 */
export async function openAdministration(
  dataDir: string,
  { create = false }: AdministrationOptions = {},
): Promise<Administration> {
  const { dataDir: directory } = parseRelayConfig({ dataDir })
  for (let attempt = 1; ; attempt += 1) {
    const throughRelay = await connectToRelay(directory)
    if (throughRelay !== undefined) return throughRelay
    if (!create) await assertDirectoryExists(directory)
    try {
      const relay = await createRelay({ dataDir: directory })
      const { administration } = relay
      return { ...administration, close: async () => await relay.stop() }
    } catch (error) {
      // The other relay has locked the directory and will listen soon.
      if (!isRelayError(error, 'directory_in_use') || attempt === maxAttempts) throw error
      await sleep(retryDelay)
    }
  }
}

async function connectToRelay(directory: string): Promise<Administration | undefined> {
  const socket = await connectToHolder(directory)
  return socket === undefined ? undefined : createSocketAdministration(socket)
}

async function assertDirectoryExists(directory: string): Promise<void> {
  try {
    await stat(directory)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') return
    throw new RelayError('configuration', `There is no data directory ${directory}.`, {
      hint: 'Name an existing one with --data, or create one with `smsrelay account create`.',
      cause,
    })
  }
}

async function openStore(
  config: RelayConfig,
  overrides: RelayOverrides,
  observers: Pick<LowdbStoreOptions, 'metrics' | 'problems'>,
): Promise<Store> {
  if (overrides.openStore !== undefined) return await overrides.openStore(config.dataDir)
  const { clock, warn } = overrides
  return await openLowdbStore(config.dataDir, {
    ...observers,
    deliveryLogBytes: config.webhooks.deliveryLog.bytes,
    ...(clock === undefined ? {} : { now: clock.now }),
    ...(warn === undefined ? {} : { warn }),
  })
}

function formatPermissionsWarning(directory: string): string {
  return (
    'Other users of this machine can read the data directory; ' +
    `run \`chmod 700 ${directory}\` to keep them out.`
  )
}

/**
 * Whether others can read the relay's data directory; always false on systems without such
 * permissions.
 */
async function isOpenToOthers(directory: string): Promise<boolean> {
  if (process.platform === 'win32') return false
  return ((await stat(directory)).mode & 0o077) !== 0
}
