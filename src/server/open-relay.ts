// A relay from its store to a running server:
// 1. createRelay checks the settings (config/). open-location locks the data directory and opens
//    the store in it, or opens the store in a database.
// 2. compose-relay creates everything around the store: the services (relay-services), the app
//    with its routes (app), the HTTP server, and the tasks that run at intervals.
// 3. relay-lifecycle starts the parts in order and stops them in order; open-mail adds the mail
//    server if the settings have a port for it.
// openAdministration is the other entry: it manages accounts through the relay that holds the data
// directory, or opens the directory itself until `close`; a database it always opens itself.
// data-directory checks, repairs, imports, exports and backs up a directory without a relay.

import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProblemList } from '../domain/account/problem-list.js'
import { isRelayError, RelayError } from '../errors.js'
import { Metrics } from '../util/collections/metrics.js'
import { connectToHolder } from '../util/files/directory-lock.js'
import type { Administration } from './admin/administration.js'
import { createSocketAdministration } from './admin/socket-administration.js'
import { composeRelay, type RelayOverrides } from './compose-relay.js'
import {
  parseRelayConfig,
  parseStoreLocation,
  type RelaySettings,
  type StoreLocation,
} from './config/relay-config.js'
import { checkOpenFiles } from './open-files.js'
import { openLocation } from './open-location.js'
import { RelayCertificates } from './relay-certificates.js'
import type { Relay } from './relay-lifecycle.js'

export type { RelayOverrides } from './compose-relay.js'
export type { Relay } from './relay-lifecycle.js'

/**
 * Opens a relay on its data directory or database. Throws `usage`, `configuration`,
 * `directory_in_use`, `damaged_data` and `unavailable`.
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
  const openFiles = await checkOpenFiles(config.limits.connections)
  const observers = { metrics: new Metrics(), problems: new ProblemList() }
  const certificates = await RelayCertificates.open(config, observers.metrics)
  const { store, clock, lock } = await openLocation(config, overrides, observers)
  if (openFiles !== undefined) overrides.warn?.(openFiles)
  try {
    return composeRelay(config, overrides, { store, clock, certificates, ...observers }, lock)
  } catch (error) {
    await store.close()
    await lock?.release()
    throw error
  }
}

export interface AdministrationOptions {
  /** Whether to create a missing data directory, or missing tables. @default false */
  readonly create?: boolean
  /** Replaces parts of the relay that opens the data here. */
  readonly overrides?: RelayOverrides
}

const maxAttempts = 10
/** Milliseconds until the other relay's lock is tried again. */
const retryDelay = 50

/**
 * Opens the administration of a relay's data directory or database. Of a directory: through the
 * relay that holds it, or by locking it until `close`. Throws `usage`, `configuration`,
 * `directory_in_use`, `damaged_data` and `unavailable`.
 */
export async function openAdministration(
  location: string | StoreLocation,
  { create = false, overrides }: AdministrationOptions = {},
): Promise<Administration> {
  const given = typeof location === 'string' ? { dataDir: location } : location
  const { dataDir = '', database } = parseStoreLocation(given)
  if (database !== undefined) {
    return await openOwnAdministration({ database: { ...database, migrate: create } }, overrides)
  }
  for (let attempt = 1; ; attempt += 1) {
    const throughRelay = await connectToRelay(dataDir)
    if (throughRelay !== undefined) return throughRelay
    if (!create) await assertDirectoryExists(dataDir)
    try {
      return await openOwnAdministration({ dataDir }, overrides)
    } catch (error) {
      // The other relay has locked the directory and will listen soon.
      if (!isRelayError(error, 'directory_in_use') || attempt === maxAttempts) throw error
      await sleep(retryDelay)
    }
  }
}

async function openOwnAdministration(
  location: StoreLocation,
  overrides?: RelayOverrides,
): Promise<Administration> {
  const relay = await createRelay(location, overrides)
  return { ...relay.administration, close: async () => await relay.stop() }
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
