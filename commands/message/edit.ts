import { string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { parseUtcTime } from '../../src/cli/terminal/parse-values.js'
import { readPiped } from '../../src/cli/terminal/stdin.js'
import { RelayError } from '../../src/errors.js'

export default class MessageEdit extends ApiCommand {
  static override summary = 'Change a message that is not sent yet.'
  static override examples = [
    {
      description: 'Change the text.',
      command: '<%= config.bin %> message edit ID --text "Dinner is ready"',
    },
    {
      description: 'Change the recipient and the time.',
      command: '<%= config.bin %> message edit ID --to +12025550123 --at "2030-01-01 00:00:00"',
    },
  ]
  static override args = { id: defineRequiredArgument('Identifier of the message.') }
  static override flags = {
    to: string({
      description: 'New number of the recipient.',
      env: 'SMSRELAY_MESSAGE_TO',
      helpValue: 'NUMBER',
    }),
    text: string({
      description: 'New text; - reads a pipe.',
      env: 'SMSRELAY_MESSAGE_TEXT',
      helpValue: 'TEXT',
    }),
    at: string({
      description: 'New earliest time to send: UTC "YYYY-MM-DD HH:MM:SS" or ISO 8601.',
      env: 'SMSRELAY_AT',
      helpValue: 'TIME',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(MessageEdit)
    if (flags.to === undefined && flags.text === undefined && flags.at === undefined) {
      throw new RelayError('usage', 'No change is given.', { hint: 'Add --to, --text or --at.' })
    }
    const at = flags.at === undefined ? {} : { send_on: parseUtcTime('--at', flags.at) }
    const id = await this.requireValue(args.id, { name: 'ID', message: 'Message identifier' })
    const text = flags.text === '-' ? await readPiped('-', this.io) : flags.text
    const client = await this.createClient(flags)
    const changes = {
      ...(flags.to === undefined ? {} : { destination: flags.to }),
      ...(text === undefined ? {} : { message: text }),
      ...at,
    }
    await client.messages.edit(id, changes, this.callOptions)
    this.print({ id }, () => `Changed ${id}.`)
  }
}
