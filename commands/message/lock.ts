import { ApiCommand } from '../../src/cli/command/api-command.js'
import { neededArgument } from '../../src/cli/command/arguments.js'
import { messageView } from '../../src/cli/message/message-views.js'

export default class MessageLock extends ApiCommand {
  static override summary = 'Hold a waiting message back.'
  static override description = 'A locked message is not sent until `message unlock`.'
  static override examples = ['<%= config.bin %> message lock ID']
  static override args = { id: neededArgument('Identifier of the message.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessageLock)
    const id = await this.need(args.id, { name: 'ID', message: 'Identifier of the message' })
    const client = await this.client(flags)
    this.show(await client.lockMessage(id, this.call), messageView)
  }
}
