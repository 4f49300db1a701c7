import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'

export default class MessageDelete extends ApiCommand {
  static override summary = 'Delete a message.'
  static override description =
    '`message undelete` restores a message that was still waiting. A final message is removed.'
  static override examples = [
    { description: 'Delete a message.', command: '<%= config.bin %> message delete ID' },
  ]
  static override args = { id: defineRequiredArgument('Identifier of the message.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessageDelete)
    const id = await this.requireValue(args.id, { name: 'ID', message: 'Message identifier' })
    const client = await this.createClient(flags)
    await client.messages.delete(id, this.callOptions)
    this.print({ id }, () => `Deleted ${id}.`)
  }
}
