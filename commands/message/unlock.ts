import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { formatMessage } from '../../src/cli/message/message-views.js'

export default class MessageUnlock extends ApiCommand {
  static override summary = 'Unlock a message, so that it can be sent.'
  static override examples = [
    { description: 'Unlock a message.', command: '<%= config.bin %> message unlock ID' },
  ]
  static override args = { id: defineRequiredArgument('Identifier of the message.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessageUnlock)
    const id = await this.requireValue(args.id, { name: 'ID', message: 'Message identifier' })
    const client = await this.createClient(flags)
    this.print(await client.messages.unlock(id, this.callOptions), formatMessage)
  }
}
