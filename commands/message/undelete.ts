import { ApiCommand } from '../../src/cli/command/api-command.js'
import { neededArgument } from '../../src/cli/command/arguments.js'
import { messageView } from '../../src/cli/message/message-views.js'

export default class MessageUndelete extends ApiCommand {
  static override summary = 'Bring a deleted message back.'
  static override description =
    'Only a message that was deleted before it was sent or failed is kept for this.'
  static override examples = ['<%= config.bin %> message undelete ID']
  static override args = { id: neededArgument('Identifier of the message.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessageUndelete)
    const id = await this.need(args.id, { name: 'ID', message: 'Identifier of the message' })
    const client = await this.client(flags)
    this.show(await client.undeleteMessage(id, this.call), messageView)
  }
}
