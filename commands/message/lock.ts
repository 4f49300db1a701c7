import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { formatMessage } from '../../src/cli/message/message-views.js'

export default class MessageLock extends ApiCommand {
  static override summary = 'Lock a waiting message, so that it is not sent.'
  static override description = '`message unlock` reverses this.'
  static override examples = [
    { description: 'Lock a message.', command: '<%= config.bin %> message lock ID' },
  ]
  static override args = { id: defineRequiredArgument('Identifier of the message.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessageLock)
    const id = await this.requireValue(args.id, { name: 'ID', message: 'Message identifier' })
    const client = await this.createClient(flags)
    this.print(await client.messages.lock(id, this.callOptions), formatMessage)
  }
}
