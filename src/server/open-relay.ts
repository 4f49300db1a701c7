import { stat } from 'node:fs/promises'
import { isRelayError, RelayError } from '../errors.js'
import { connectToHolder, lockDirectory } from '../util/files/directory-lock.js'
import { isOpenToOthers } from '../util/files/directory-permissions.js'
import type { Administration } from './admin/administration.js'
import { createSocketAdministration } from './admin/socket-administration.js'
import { composeRelay, type Relay, type RelayOverrides } from './compose-relay.js'
import { parseRelayConfig, type RelayConfig, type RelaySettings } from './config/relay-config.js'
import { openLowdbStore } from './store/lowdb/lowdb-store.js'
import type { Store } from './store/store.js'

export type { Relay, RelayOverrides } from './compose-relay.js'

/**
 * Opens a relay on its data directory. Throws `usage`, `configuration`, `directory_in_use` and `damaged_data`.
 *
 * @example
 * const relay = await createRelay({ dataDir: './data-directory.ts', port: 0 })
 * await relay.start()
 */
export async function createRelay(
  settings: RelaySettings,
  overrides: RelayOverrides = {},
): Promise<Relay> {
  const config = parseRelayConfig(settings)
  const lock = await lockDirectory(config.dataDir)
  try {
    if (await isOpenToOthers(config.dataDir))
      overrides.warn?.(formatPermissionsWarning(config.dataDir))
    const store = await openStore(config, overrides)
    return composeRelay(config, overrides, store, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

/**
 * Administration of a data directory: through the service that runs on it, else by holding it meanwhile.
 * Throws `usage`, `configuration`, `directory_in_use` and `damaged_data`.
 */
export async function openAdministration(
  dataDir: string,
  { create = false }: AdministrationOptions = {},
): Promise<Administration> {
  const { dataDir: directory } = parseRelayConfig({ dataDir })
  const throughHolder = async (): Promise<Administration | undefined> => {
    const socket = await connectToHolder(directory)
    return socket === undefined ? undefined : createSocketAdministration(socket)
  }
  return (await throughHolder()) ?? (await holdDirectory(directory, create, throughHolder))
}

/** Options of {@link openAdministration}. */
export interface AdministrationOptions {
  /** Whether to make a data directory that is not there. @default false */
  readonly create?: boolean
}

async function holdDirectory(
  directory: string,
  create: boolean,
  throughHolder: () => Promise<Administration | undefined>,
): Promise<Administration> {
  if (!create) await assertDirectoryExists(directory)
  try {
    const relay = await createRelay({ dataDir: directory })
    return { ...relay.administration, close: async () => await relay.stop() }
  } catch (error) {
    // Somebody else took it since it was looked for.
    const holder = isRelayError(error, 'directory_in_use') ? await throughHolder() : undefined
    if (holder !== undefined) return holder
    throw error
  }
}

async function assertDirectoryExists(directory: string): Promise<void> {
  try {
    await stat(directory)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') return
    throw new RelayError('configuration', `There is no data directory ${directory}.`, {
      hint: 'Name that of the service with --data; `smsrelay account create` makes a new one.',
      cause,
    })
  }
}

async function openStore(config: RelayConfig, overrides: RelayOverrides): Promise<Store> {
  if (overrides.openStore !== undefined) return await overrides.openStore(config.dataDir)
  const { clock, warn } = overrides
  return await openLowdbStore(config.dataDir, {
    ...(clock === undefined ? {} : { now: clock.now }),
    ...(warn === undefined ? {} : { warn }),
  })
}

function formatPermissionsWarning(directory: string): string {
  return `Other users of this machine may look into the data directory; \`chmod 700 ${directory}\` keeps them out.`
}
