import { string } from '@oclif/core/flags'
import { personColumns } from '../../src/cli/account/person-views.js'
import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'
import { openAdministration } from '../../src/server/open-relay.js'

export default class PersonList extends AdminCommand {
  static override summary = 'List the people who sign in to accounts, with their roles.'
  static override examples = [
    { description: 'List the people of all accounts.', command: '<%= config.bin %> person list' },
    {
      description: 'List those of one account.',
      command: '<%= config.bin %> person list --account ann@example.com',
    },
  ]
  static override flags = {
    ...outputFlags,
    account: string({
      description: 'Only the people of this account.',
      env: 'SMSRELAY_ACCOUNT',
      helpValue: 'EMAIL',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(PersonList)
    const printer = await this.openPrinter(flags, personColumns)
    const people = await this.withAdministration(openAdministration, flags, admin =>
      admin.listPeople(flags.account),
    )
    await printer.printList(people, 'There are no people besides the accounts themselves.')
  }
}
