import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { DoNotTextCommand } from '../../src/cli/do-not-text/do-not-text-command.js'

export default class DoNotTextRemove extends DoNotTextCommand {
  static override summary = 'Take a number off a Do Not Text list.'
  static override description = 'Messages that were blocked stay blocked.'
  static override examples = [
    '<%= config.bin %> blocklist remove +12025550123',
    '<%= config.bin %> blocklist remove +12025550123 --service --data /var/lib/smsrelay',
  ]
  static override args = { number: defineRequiredArgument('The phone number.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DoNotTextRemove)
    const number = await this.requireValue(args.number, { name: 'NUMBER', message: 'Phone number' })
    const entry = await this.withList(flags, openService, list =>
      list.removeBlocked(number, this.callOptions),
    )
    this.print(entry, each => `Removed ${each.number} (${each.scope}).`)
  }
}

async function openService(dataDir: string) {
  const { openAdministration } = await import('../../src/server/open-relay.js')
  return await openAdministration(dataDir)
}
