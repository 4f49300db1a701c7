import { ApiCommand } from '../../src/cli/command/api-command.js'
import { neededArgument } from '../../src/cli/command/arguments.js'
import { messageView } from '../../src/cli/message/message-views.js'

export default class MessageUnlock extends ApiCommand {
  static override summary = 'Let a locked message go on.'
  static override examples = ['<%= config.bin %> message unlock ID']
  static override args = { id: neededArgument('Identifier of the message.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessageUnlock)
    const id = await this.need(args.id, { name: 'ID', message: 'Identifier of the message' })
    const client = await this.client(flags)
    this.show(await client.unlockMessage(id, this.call), messageView)
  }
}
