import { string } from '@oclif/core/flags'
import { formatLimits } from '../../src/cli/account/limit-views.js'
import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import {
  type AccountLimitsEdit,
  accountLimitsEdit,
  describeDefault,
  listLimitFields,
} from '../../src/contract/account/account-limit-schema.js'
import { parseInput } from '../../src/contract/schema/parse.js'
import {
  type AccountLimitName,
  accountLimits,
  mapLimitFields,
} from '../../src/domain/account-limits.js'
import { openAdministration } from '../../src/server/open-relay.js'

function defineLimit(name: AccountLimitName) {
  const { field, about } = accountLimits[name]
  const description = `${about.slice(0, -1)}; none: ${describeDefault(name)}.`
  return string({ description, env: `SMSRELAY_${field.toUpperCase()}`, helpValue: 'COUNT' })
}

/** A flag for each field of the API, with its words joined by hyphens. */
const limitFlags = Object.fromEntries(
  Object.entries(mapLimitFields(defineLimit)).map(([field, flag]) => [toFlagName(field), flag]),
)

export default class AccountLimit extends AdminCommand {
  static override summary = 'Show or change the limits of an account.'
  static override description =
    'Without flags, shows the limits and how much of each is used. A changed limit applies at ' +
    'once, on several nodes within a second. Existing messages, subscriptions and URLs stay.'
  static override examples = [
    {
      description: 'Let an account create at most 1,000 messages a day.',
      command: '<%= config.bin %> account limit ann@example.com --messages-per-day 1000',
    },
    {
      description: 'Remove that limit.',
      command: '<%= config.bin %> account limit ann@example.com --messages-per-day none',
    },
  ]
  static override args = { email: defineRequiredArgument('E-mail address of the account.') }
  static override flags = limitFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AccountLimit)
    const changes = toChanges(flags)
    const email = await this.requireValue(args.email, { name: 'EMAIL', message: 'E-mail address' })
    const limits = await this.withAdministration(openAdministration, flags, admin =>
      changes === undefined ? admin.showLimits(email) : admin.changeLimits(email, changes),
    )
    this.print(limits, formatLimits)
  }
}

function toChanges(
  flags: Readonly<Record<string, string | undefined>>,
): AccountLimitsEdit | undefined {
  const changes = listLimitFields().flatMap(field => {
    const text = flags[toFlagName(field)]
    return text === undefined ? [] : [[field, text === 'none' ? null : text] as const]
  })
  if (changes.length === 0) return undefined
  return parseInput(accountLimitsEdit, Object.fromEntries(changes))
}

function toFlagName(field: string): string {
  return field.replaceAll('_', '-')
}
