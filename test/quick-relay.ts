import { createRelay as create, type RelayOverrides, type RelaySettings } from '../src/index.js'
import type { PasswordCost } from '../src/util/crypto/password-hash.js'
import { chosenStore, getDatabaseOf } from './chosen-store.js'

/**
 * A low password cost: with the default one, password checks are a third of the work of all tests.
 * Tests of the cost itself do not use it.
 */
export const quickPasswords: PasswordCost = { N: 16, r: 8, p: 1 }

/**
 * `createRelay` with {@link quickPasswords} by default, and on the store of this run unless the
 * test opens a store itself.
 */
export const createRelay: typeof create = async (
  settings: RelaySettings,
  overrides: RelayOverrides = {},
) => {
  const located = overrides.openStore === undefined ? await choosePlace(settings) : settings
  return await create(located, { passwordCost: quickPasswords, ...overrides })
}

async function choosePlace({ dataDir, ...settings }: RelaySettings): Promise<RelaySettings> {
  if (chosenStore === 'lowdb' || dataDir === undefined) return { dataDir, ...settings }
  return { ...settings, database: { url: await getDatabaseOf(dataDir) } }
}
