import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { formatMessage } from '../../src/cli/message/message-views.js'

export default class MessageUndelete extends ApiCommand {
  static override summary = 'Restore a deleted message.'
  static override description =
    'Works only for a message that was deleted before it was sent or failed.'
  static override examples = [
    { description: 'Restore a message.', command: '<%= config.bin %> message undelete ID' },
  ]
  static override args = { id: defineRequiredArgument('Identifier of the message.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessageUndelete)
    const id = await this.requireValue(args.id, { name: 'ID', message: 'Message identifier' })
    const client = await this.createClient(flags)
    this.print(await client.messages.undelete(id, this.callOptions), formatMessage)
  }
}
