import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'

export default class MessageDelete extends ApiCommand {
  static override summary = 'Delete a message.'
  static override description =
    'A message that waits can be brought back with `message undelete`; a final one is gone.'
  static override examples = ['<%= config.bin %> message delete ID']
  static override args = { id: defineRequiredArgument('Identifier of the message.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessageDelete)
    const id = await this.requireValue(args.id, {
      name: 'ID',
      message: 'Identifier of the message',
    })
    const client = await this.createClient(flags)
    await client.messages.delete(id, this.callOptions)
    this.print({ id }, () => `Deleted ${id}.`)
  }
}
