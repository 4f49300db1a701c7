import { string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineOptionalArgument } from '../../src/cli/command/arguments.js'
import { receivedTextColumns } from '../../src/cli/message/received-text-views.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'
import { parseInteger } from '../../src/cli/terminal/parse-values.js'

export default class MessageReceived extends ApiCommand {
  static override summary = 'List received texts, newest first, or show one.'
  static override description =
    'A text that consists of a keyword such as STOP puts its sender on the Do Not Text list and ' +
    'fires no message.received event. `serve --keywords` sets the keywords.'
  static override examples = [
    {
      description: 'List the newest texts.',
      command: '<%= config.bin %> message received --count 100',
    },
    { description: 'Show one text.', command: '<%= config.bin %> message received ID' },
  ]
  static override args = { id: defineOptionalArgument('Identifier of a received text.') }
  static override flags = {
    ...outputFlags,
    count: string({
      description: 'Number of texts to list, 1 to 100.',
      env: 'SMSRELAY_MESSAGE_COUNT',
      defaultHelp: async () => '50',
      helpValue: 'N',
    }),
    before: string({
      description: 'List only texts older than this one.',
      env: 'SMSRELAY_MESSAGE_BEFORE',
      helpValue: 'ID',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessageReceived)
    const { before } = flags
    const count = flags.count === undefined ? 50 : parseInteger('--count', flags.count, 1, 100)
    const printer = await this.openPrinter(flags, receivedTextColumns)
    const client = await this.createClient(flags)
    const { receivedTexts } = client
    if (args.id !== undefined) {
      return await printer.printOne(await receivedTexts.get(args.id, this.callOptions))
    }
    const texts = await receivedTexts.list({ count, before, kind: 'all' }, this.callOptions)
    await printer.printList(texts, 'There are no received texts.')
    const last = texts.at(-1)?.id
    if (printer.hasNotes && last !== undefined && texts.length === count) {
      const more = await receivedTexts.list(
        { count: 1, before: last, kind: 'all' },
        this.callOptions,
      )
      if (more.length > 0) printer.printNote(`More: --before ${last}`)
    }
  }
}
