import { boolean } from '@oclif/core/flags'
import { accountColumns, removeKeys } from '../../src/cli/account/account-views.js'
import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'
import { openAdministration } from '../../src/server/open-relay.js'

export default class AccountShow extends AdminCommand {
  static override summary = 'Show an account.'
  static override description =
    'With --show-keys also its secret key and application key. ' +
    'The relay stores only a hash of the API key; `account rotate` creates a new one.'
  static override examples = [
    {
      description: 'Show an account with its keys.',
      command: '<%= config.bin %> account show ann@example.com --show-keys',
    },
  ]
  static override flags = {
    ...outputFlags,
    'show-keys': boolean({ description: 'Print the keys, too.', env: 'SMSRELAY_SHOW_KEYS' }),
  }
  static override args = { email: defineRequiredArgument('E-mail address of the account.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AccountShow)
    const email = await this.requireValue(args.email, { name: 'EMAIL', message: 'E-mail address' })
    const printer = await this.openPrinter(flags, accountColumns)
    const account = await this.withAdministration(openAdministration, flags, admin =>
      admin.showAccount(email),
    )
    await printer.printOne(flags['show-keys'] ? account : removeKeys(account))
  }
}
