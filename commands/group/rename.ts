import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { findGroup } from '../../src/cli/contact/edit-contact.js'

export default class GroupRename extends ApiCommand {
  static override summary = 'Rename a group; its members stay.'
  static override examples = [
    {
      description: 'Rename a group.',
      command: '<%= config.bin %> group rename Customers Clients',
    },
  ]
  static override args = {
    group: defineRequiredArgument('Name or identifier of the group.'),
    name: defineRequiredArgument('New name, unique in the account.'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GroupRename)
    const group = await this.requireValue(args.group, { name: 'GROUP', message: 'Group' })
    const name = await this.requireValue(args.name, { name: 'NAME', message: 'New name' })
    const client = await this.createClient(flags)
    const { id } = await findGroup(client, group, this.callOptions)
    const renamed = await client.groups.edit(id, { name }, this.callOptions)
    this.print(renamed, each => `Renamed to ${each.name} (${each.id}).`)
  }
}
