import { boolean } from '@oclif/core/flags'
import { RelayError } from '../../../errors.js'
import type { Scope } from './systemd-unit.js'

/** Flags that say whose unit it is. */
export const scopeFlags = {
  user: boolean({ description: 'A service of yours. [default, but for root]' }),
  system: boolean({ description: 'A service of the machine; needs root. [default for root]' }),
}

/** Whose unit it is. Throws `usage` for both at once. */
export function parseScope(flags: { readonly user: boolean; readonly system: boolean }): Scope {
  if (flags.user && flags.system) throw new RelayError('usage', '--user or --system, not both.')
  if (flags.user || flags.system) return flags.system ? 'system' : 'user'
  return process.getuid?.() === 0 ? 'system' : 'user'
}
