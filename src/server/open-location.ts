import { stat } from 'node:fs/promises'
import { type Clock, createClock } from '../util/async/clock.js'
import { type DirectoryLock, lockDirectory } from '../util/files/directory-lock.js'
import { ignoreUnavailable, type RelayOverrides } from './compose-relay.js'
import type { DatabaseSettings, RelayConfig } from './config/relay-config.js'
import type { ServiceContext } from './services/service-context.js'
import { openLowdbStore } from './store/lowdb/lowdb-store.js'
import type { Store } from './store/store.js'

export interface OpenLocation {
  readonly store: Store
  readonly clock: Clock
  readonly lock?: DirectoryLock
}

type Observers = Pick<ServiceContext, 'metrics' | 'problems'>

export async function openLocation(
  config: RelayConfig,
  overrides: RelayOverrides,
  observers: Observers,
): Promise<OpenLocation> {
  const { dataDir = '', database } = config.location
  if (database !== undefined) return await openDatabase(database, config, overrides, observers)
  const lock = await lockDirectory(dataDir)
  try {
    if (await isOpenToOthers(dataDir)) overrides.warn?.(formatPermissionsWarning(dataDir))
    const clock = setTime(overrides.clock ?? createClock(), overrides.now)
    const store = await openDirectory(dataDir, config, { ...overrides, clock }, observers)
    return { store, clock, lock }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** The nodes of a relay agree on the time: it is that of the database. */
async function openDatabase(
  { migrate, ...access }: DatabaseSettings,
  _config: RelayConfig,
  { clock = createClock(), now, newId, version, warn, reportDefect }: RelayOverrides,
  { metrics }: Observers,
): Promise<OpenLocation> {
  // The modules of PostgreSQL take long to load.
  const { openPostgresStore } = await import('./store/postgres/postgres-store.js')
  const store = await openPostgresStore(access, {
    clock,
    random: Math.random,
    metrics,
    migrate,
    onError: ignoreUnavailable(reportDefect),
    ...(now === undefined ? {} : { now }),
    ...(newId === undefined ? {} : { newId }),
    ...(version === undefined ? {} : { version }),
    ...(warn === undefined ? {} : { warn }),
  })
  return { store, clock: setTime(store.clock, now) }
}

function setTime(clock: Clock, now: Clock['now'] = clock.now): Clock {
  const { monotonic, sleep, after } = clock
  return { now, monotonic, sleep, after }
}

async function openDirectory(
  directory: string,
  _config: RelayConfig,
  overrides: RelayOverrides & { readonly clock: Clock },
  observers: Observers,
): Promise<Store> {
  if (overrides.openStore !== undefined) return await overrides.openStore(directory, observers)
  const { clock, warn } = overrides
  return await openLowdbStore(directory, {
    ...observers,
    now: clock.now,
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
