import { string } from '@oclif/core/flags'
import { formatLimits } from '../../src/cli/account/limit-views.js'
import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import {
  type AccountLimitsEdit,
  accountLimitsEdit,
} from '../../src/contract/account/account-limit-schema.js'
import { parseInput } from '../../src/contract/schema/parse.js'
import { openAdministration } from '../../src/server/open-relay.js'

function defineLimit(what: string, env: string) {
  return string({ description: `${what}; none: no limit.`, env, helpValue: 'COUNT' })
}

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
  static override flags = {
    'messages-per-hour': defineLimit('Messages in 60 minutes', 'SMSRELAY_MESSAGES_PER_HOUR'),
    'messages-per-day': defineLimit('Messages in 24 hours', 'SMSRELAY_MESSAGES_PER_DAY'),
    'waiting-messages': defineLimit('Messages that wait to be sent', 'SMSRELAY_WAITING_MESSAGES'),
    subscriptions: defineLimit('Subscriptions', 'SMSRELAY_SUBSCRIPTIONS'),
    'secret-urls': defineLimit('Secret URLs', 'SMSRELAY_SECRET_URLS'),
  }

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

type LimitFlags = Readonly<Partial<Record<keyof typeof AccountLimit.flags, string | undefined>>>

function toChanges(flags: LimitFlags): AccountLimitsEdit | undefined {
  const given = {
    messages_per_hour: flags['messages-per-hour'],
    messages_per_day: flags['messages-per-day'],
    waiting_messages: flags['waiting-messages'],
    subscriptions: flags.subscriptions,
    secret_urls: flags['secret-urls'],
  }
  const changes = Object.entries(given).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, text === 'none' ? null : text] as const],
  )
  if (changes.length === 0) return undefined
  return parseInput(accountLimitsEdit, Object.fromEntries(changes))
}
