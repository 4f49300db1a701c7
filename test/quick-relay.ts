import { createRelay as create, type RelayOverrides, type RelaySettings } from '../src/index.js'
import type { PasswordCost } from '../src/util/crypto/password-hash.js'

/**
 * A password that takes no time to try: at the cost a service has, accounts and sign-ins are a third of the work of
 * all tests. Tests of that cost, or of what happens meanwhile, do without it.
 */
export const quickPasswords: PasswordCost = { N: 16, r: 8, p: 1 }

/** A relay as `createRelay` makes it, with {@link quickPasswords} unless it is said otherwise. */
export const createRelay: typeof create = async (
  settings: RelaySettings,
  overrides: RelayOverrides = {},
) => await create(settings, { passwordCost: quickPasswords, ...overrides })
