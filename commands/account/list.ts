import { accountColumns, removeKeys } from '../../src/cli/account/account-views.js'
import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'
import { openAdministration } from '../../src/server/open-relay.js'

export default class AccountList extends AdminCommand {
  static override summary = 'List the accounts of a relay.'
  static override examples = [
    { description: 'List all accounts.', command: '<%= config.bin %> account list' },
  ]
  static override flags = outputFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(AccountList)
    const printer = await this.openPrinter(flags, accountColumns)
    const accounts = await this.withAdministration(openAdministration, flags, admin =>
      admin.listAccounts(),
    )
    await printer.printList(accounts.map(removeKeys), 'There are no accounts.')
  }
}
