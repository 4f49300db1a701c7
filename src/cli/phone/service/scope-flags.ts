import { boolean } from '@oclif/core/flags'
import { RelayError } from '../../../errors.js'
import type { Scope } from './systemd-unit.js'

export const scopeFlags = {
  user: boolean({
    description: 'Use a service of your user. [default, except for root]',
    env: 'SMSRELAY_USER',
  }),
  system: boolean({
    description: 'Use a service of the machine. [default for root]',
    env: 'SMSRELAY_SYSTEM',
  }),
}

/** Parses --user and --system of `phone service`. Throws `usage` if both are given. */
export function parseScope(flags: { readonly user: boolean; readonly system: boolean }): Scope {
  if (flags.user && flags.system) {
    throw new RelayError('usage', '--user and --system cannot be used together.', {
      hint: 'Remove one of them.',
    })
  }
  if (flags.user || flags.system) return flags.system ? 'system' : 'user'
  return process.getuid?.() === 0 ? 'system' : 'user'
}
