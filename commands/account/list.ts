import { formatAccountTable, removeKeys } from '../../src/cli/admin/account-views.js'
import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { openAdministration } from '../../src/server/open-relay.js'

export default class AccountList extends AdminCommand {
  static override summary = 'List the accounts of a relay.'
  static override examples = [
    { description: 'List all accounts.', command: '<%= config.bin %> account list' },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(AccountList)
    const accounts = await this.withAdministration(openAdministration, flags, admin =>
      admin.listAccounts(),
    )
    this.printList(accounts.map(removeKeys), formatAccountTable, 'There are no accounts.')
  }
}
