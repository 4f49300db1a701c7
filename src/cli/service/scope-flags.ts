import { boolean, string } from '@oclif/core/flags'
import { RelayError } from '../../errors.js'
import type { Scope } from './service-job.js'

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

export const installFlags = {
  ...scopeFlags,
  'run-as': string({
    description: 'With --system: user that runs the service.',
    env: 'SMSRELAY_RUN_AS',
    defaultHelp: async () => 'a dynamic user of systemd',
    helpValue: 'USER',
  }),
  print: boolean({
    aliases: ['dry-run'],
    description: 'Print the file of the service and change nothing.',
    env: 'SMSRELAY_PRINT',
  }),
}

export interface ScopeChoice {
  readonly user: boolean
  readonly system: boolean
}

/** Parses --user and --system of a service. Throws `usage` if both are given. */
export function parseScope(flags: ScopeChoice): Scope {
  if (flags.user && flags.system) {
    throw new RelayError('usage', '--user and --system cannot be used together.', {
      hint: 'Remove one of them.',
    })
  }
  if (flags.user || flags.system) return flags.system ? 'system' : 'user'
  return process.getuid?.() === 0 ? 'system' : 'user'
}

/** Checks --run-as of a service. Throws `usage`. */
export function assertRunAs(scope: Scope, runAs: string | undefined): void {
  if (runAs === undefined) return
  if (scope === 'user') {
    throw new RelayError('usage', '--run-as cannot be used with --user.', {
      hint: 'Remove --run-as, or use --system.',
    })
  }
  if (!/^[a-z_][a-z0-9_-]{0,31}$/.test(runAs)) {
    throw new RelayError('usage', `--run-as must be the name of a user, not "${runAs}".`)
  }
}
