import { ApiCommand } from '../../src/cli/command/api-command.js'
import { neededArgument } from '../../src/cli/command/arguments.js'
import { messageView } from '../../src/cli/message/message-views.js'

export default class MessageGet extends ApiCommand {
  static override summary = 'Show a message.'
  static override examples = ['<%= config.bin %> message get ID']
  static override args = { id: neededArgument('Identifier of the message.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessageGet)
    const id = await this.need(args.id, { name: 'ID', message: 'Identifier of the message' })
    const client = await this.client(flags)
    this.show(await client.getMessage(id, this.call), messageView)
  }
}
