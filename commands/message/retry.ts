import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { formatMessage } from '../../src/cli/message/message-views.js'

export default class MessageRetry extends ApiCommand {
  static override summary = 'Try a message in error again now.'
  static override description =
    'It skips the delay of the next attempt. A failed message is final: send a new one.'
  static override examples = [
    { description: 'Try a message again.', command: '<%= config.bin %> message retry ID' },
  ]
  static override args = { id: defineRequiredArgument('Identifier of the message.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessageRetry)
    const id = await this.requireValue(args.id, { name: 'ID', message: 'Message identifier' })
    const client = await this.createClient(flags)
    this.print(await client.messages.retry(id, this.callOptions), formatMessage)
  }
}
