import { boolean } from '@oclif/core/flags'
import { accountFlags, toAccountSettings } from '../../src/cli/account/account-flags.js'
import { formatNewAccount } from '../../src/cli/account/account-views.js'
import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { readPassword } from '../../src/cli/terminal/read-password.js'
import { openAdministration } from '../../src/server/open-relay.js'

export default class AccountCreate extends AdminCommand {
  static override summary = 'Create an account and print its keys, only once.'
  static override description =
    'The password is random unless SMSRELAY_PASSWORD or --password sets it.'
  static override examples = [
    {
      description: 'Create an account with a random password.',
      command: '<%= config.bin %> account create ann@example.com',
    },
    {
      description: 'Read the password from a pipe.',
      command:
        'echo "$PASSWORD" | <%= config.bin %> account create ann@example.com --password --json',
    },
  ]
  static override args = { email: defineRequiredArgument('E-mail address of the account.') }
  static override flags = {
    password: boolean({
      description: 'Ask for the password, or read it from a pipe.',
      env: 'SMSRELAY_ACCOUNT_PASSWORD',
    }),
    ...accountFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AccountCreate)
    const email = await this.requireValue(args.email, { name: 'EMAIL', message: 'E-mail address' })
    const isChosen = flags.password || (this.io.env.SMSRELAY_PASSWORD ?? '') !== ''
    const password = isChosen ? { password: await readPassword(this.io, this.json, true) } : {}
    const draft = { email, ...password, ...toAccountSettings(flags) }
    const account = await this.withAdministration(
      location => openAdministration(location, { create: true }),
      flags,
      admin => admin.createAccount(draft),
    )
    this.print(account, formatNewAccount)
  }
}
