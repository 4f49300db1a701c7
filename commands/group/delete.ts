import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'

export default class GroupDelete extends ApiCommand {
  static override summary = 'Delete a group; its members are still contacts.'
  static override examples = [
    { description: 'Delete a group.', command: '<%= config.bin %> group delete ID' },
  ]
  static override args = {
    id: defineRequiredArgument('Identifier of the group; see `group list`.'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(GroupDelete)
    const id = await this.requireValue(args.id, { name: 'ID', message: 'Group identifier' })
    const client = await this.createClient(flags)
    await client.groups.delete(id, this.callOptions)
    this.print({ id }, () => `Deleted ${id}.`)
  }
}
