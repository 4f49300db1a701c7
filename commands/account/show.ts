import { formatAccount } from '../../src/cli/admin/account-views.js'
import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { openAdministration } from '../../src/server/open-relay.js'

export default class AccountShow extends AdminCommand {
  static override summary = 'Show an account with its secret key and application key.'
  static override description =
    'The relay stores only a hash of the API key; `account rotate` creates a new one.'
  static override examples = [
    {
      description: 'Show an account.',
      command: '<%= config.bin %> account show ann@example.com',
    },
  ]
  static override args = { email: defineRequiredArgument('E-mail address of the account.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AccountShow)
    const email = await this.requireValue(args.email, { name: 'EMAIL', message: 'E-mail address' })
    const account = await this.withAdministration(openAdministration, flags, admin =>
      admin.showAccount(email),
    )
    this.print(account, formatAccount)
  }
}
