import { createRelay as create, type RelayOverrides, type RelaySettings } from '../src/index.js'
import type { PasswordCost } from '../src/util/crypto/password-hash.js'

/**
 * A low password cost: with the default one, password checks are a third of the work of all tests.
 * Tests of the cost itself do not use it.
 */
export const quickPasswords: PasswordCost = { N: 16, r: 8, p: 1 }

/** `createRelay` with {@link quickPasswords} by default. */
export const createRelay: typeof create = async (
  settings: RelaySettings,
  overrides: RelayOverrides = {},
) => await create(settings, { passwordCost: quickPasswords, ...overrides })
