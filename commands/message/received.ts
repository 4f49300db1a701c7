import { string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineOptionalArgument } from '../../src/cli/command/arguments.js'
import {
  formatReceivedText,
  formatReceivedTextTable,
} from '../../src/cli/message/received-text-views.js'
import { parseInteger } from '../../src/cli/terminal/parse-values.js'

export default class MessageReceived extends ApiCommand {
  static override summary = 'List the texts that reached phones, the newest first, or show one.'
  static override description =
    'A phone tells the service of them. A text that is nothing but a word such as STOP puts its sender on the Do Not ' +
    'Text list instead of firing message.received; `serve --stop-words` and --start-words say which.'
  static override examples = [
    '<%= config.bin %> message received',
    '<%= config.bin %> message received --count 100 --json',
    '<%= config.bin %> message received ID',
  ]
  static override args = { id: defineOptionalArgument('Identifier of one of them.') }
  static override flags = {
    count: string({ description: 'How many to list, 1 to 100. [default: 50]', helpValue: 'N' }),
    before: string({ description: 'Only those before this one.', helpValue: 'ID' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessageReceived)
    const { before } = flags
    const count =
      flags.count === undefined ? undefined : parseInteger('--count', flags.count, 1, 100)
    const client = await this.createClient(flags)
    if (args.id !== undefined) {
      return this.print(
        await client.receivedTexts.get(args.id, this.callOptions),
        formatReceivedText,
      )
    }
    const texts = await client.receivedTexts.list({ count, before }, this.callOptions)
    const columns = this.io.stdout.isTTY === true ? this.io.stdout.columns : undefined
    this.printLine(texts, () =>
      texts.length === 0 ? undefined : formatReceivedTextTable(texts, columns),
    )
    if (texts.length === 0) this.printNote('No text has come in.')
  }
}
