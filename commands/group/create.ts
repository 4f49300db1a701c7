import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'

export default class GroupCreate extends ApiCommand {
  static override summary = 'Create a group of contacts.'
  static override examples = [
    {
      description: 'Create a group and add a member.',
      command:
        '<%= config.bin %> group create Customers && ' +
        '<%= config.bin %> group add-members Customers +12025550123',
    },
  ]
  static override args = { name: defineRequiredArgument('Name, unique in the account.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GroupCreate)
    const name = await this.requireValue(args.name, { name: 'NAME', message: 'Name' })
    const client = await this.createClient(flags)
    const group = await client.groups.create({ name }, this.callOptions)
    this.print(group, each => `Created ${each.name} (${each.id}).`)
  }
}
