import { string } from '@oclif/core/flags'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { DoNotTextCommand } from '../../src/cli/do-not-text/do-not-text-command.js'

export default class DoNotTextAdd extends DoNotTextCommand {
  static override summary = 'Put a number on a Do Not Text list.'
  static override description =
    'Messages to it that wait are blocked at once, later ones when they are created.'
  static override examples = [
    '<%= config.bin %> blocklist add +12025550123',
    '<%= config.bin %> blocklist add +12025550123 --note "asked by telephone"',
    '<%= config.bin %> blocklist add +12025550123 --service --data /var/lib/smsrelay',
  ]
  static override flags = {
    note: string({ description: 'Why, in at most 200 characters.', helpValue: 'TEXT' }),
  }
  static override args = { number: defineRequiredArgument('The phone number.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DoNotTextAdd)
    const number = await this.requireValue(args.number, { name: 'NUMBER', message: 'Phone number' })
    const { note } = flags
    const entry = await this.withList(flags, openService, list =>
      list.addBlocked(number, { ...this.callOptions, note }),
    )
    this.print(entry, each => `Listed ${each.number} (${each.scope}).`)
  }
}

async function openService(dataDir: string) {
  const { openAdministration } = await import('../../src/server/open-relay.js')
  return await openAdministration(dataDir)
}
