import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { DoNotTextCommand } from '../../src/cli/do-not-text/do-not-text-command.js'

export default class DoNotTextRemove extends DoNotTextCommand {
  static override summary = 'Remove a number from a Do Not Text list.'
  static override description = 'Messages that are blocked stay blocked.'
  static override examples = [
    {
      description: 'Remove a number from the list of the account.',
      command: '<%= config.bin %> do-not-text remove +12025550123',
    },
    {
      description: 'Remove a number from the list of the whole relay.',
      command:
        '<%= config.bin %> do-not-text remove +12025550123 --service --data /var/lib/smsrelay',
    },
  ]
  static override args = { number: defineRequiredArgument('Phone number.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DoNotTextRemove)
    const number = await this.requireValue(args.number, { name: 'NUMBER', message: 'Phone number' })
    const entry = await this.withList(
      flags,
      () => import('../../src/server/open-relay.js'),
      list => list.remove(number, this.callOptions),
    )
    this.print(entry, each => `Removed ${each.number} (${each.scope}).`)
  }
}
