import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { detailColumns } from '../../src/cli/message/message-views.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'

export default class MessageGet extends ApiCommand {
  static override summary = 'Show a message with each attempt to send it.'
  static override examples = [
    { description: 'Show a message.', command: '<%= config.bin %> message get ID' },
  ]
  static override args = { id: defineRequiredArgument('Identifier of the message.') }
  static override flags = outputFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessageGet)
    const id = await this.requireValue(args.id, { name: 'ID', message: 'Message identifier' })
    const printer = await this.openPrinter(flags, detailColumns)
    const client = await this.createClient(flags)
    const options = { ...this.callOptions, extended: true }
    await printer.printOne(await client.messages.get(id, options))
  }
}
