import { string } from '@oclif/core/flags'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { DoNotTextCommand } from '../../src/cli/do-not-text/do-not-text-command.js'

export default class DoNotTextAdd extends DoNotTextCommand {
  static override summary = 'Add a number to a Do Not Text list.'
  static override description =
    'Blocks the waiting messages to the number at once, and later ones when they are created.'
  static override examples = [
    {
      description: 'Add a number with the reason.',
      command: '<%= config.bin %> do-not-text add +12025550123 --note "asked by phone"',
    },
    {
      description: 'Block a number for all accounts of a relay.',
      command: '<%= config.bin %> do-not-text add +12025550123 --service --data /var/lib/smsrelay',
    },
  ]
  static override flags = {
    note: string({
      description: 'Reason, at most 200 characters.',
      env: 'SMSRELAY_NOTE',
      helpValue: 'TEXT',
    }),
  }
  static override args = { number: defineRequiredArgument('Phone number.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DoNotTextAdd)
    const number = await this.requireValue(args.number, { name: 'NUMBER', message: 'Phone number' })
    const { note } = flags
    const entry = await this.withList(
      flags,
      () => import('../../src/server/open-relay.js'),
      list => list.add(number, { ...this.callOptions, note }),
    )
    this.print(entry, each => `Added ${each.number} (${each.scope}).`)
  }
}
