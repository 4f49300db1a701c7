import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { formatMessage } from '../../src/cli/message/message-views.js'

export default class MessageGet extends ApiCommand {
  static override summary = 'Show a message.'
  static override examples = [
    { description: 'Show a message.', command: '<%= config.bin %> message get ID' },
  ]
  static override args = { id: defineRequiredArgument('Identifier of the message.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessageGet)
    const id = await this.requireValue(args.id, { name: 'ID', message: 'Message identifier' })
    const client = await this.createClient(flags)
    this.print(await client.messages.get(id, this.callOptions), formatMessage)
  }
}
