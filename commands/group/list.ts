import { ApiCommand } from '../../src/cli/command/api-command.js'
import { groupColumns } from '../../src/cli/contact/contact-views.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'

export default class GroupList extends ApiCommand {
  static override summary = 'List the groups of contacts.'
  static override examples = [
    { description: 'List groups as JSON.', command: '<%= config.bin %> group list --json' },
  ]
  static override flags = outputFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(GroupList)
    const printer = await this.openPrinter(flags, groupColumns)
    const client = await this.createClient(flags)
    await printer.printList(await client.groups.list(this.callOptions), 'There are no groups.')
  }
}
