import { string } from '@oclif/core/flags'
import { neededArgument } from '../../src/cli/command/arguments.js'
import { BlocklistCommand } from '../../src/cli/do-not-text/do-not-text-command.js'

export default class BlocklistAdd extends BlocklistCommand {
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
  static override args = { number: neededArgument('The phone number.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BlocklistAdd)
    const number = await this.need(args.number, { name: 'NUMBER', message: 'Phone number' })
    const { note } = flags
    const entry = await this.onList(flags, openService, list =>
      list.addBlocked(number, { ...this.call, note }),
    )
    this.show(entry, each => `Listed ${each.number} (${each.scope}).`)
  }
}

async function openService(dataDir: string) {
  const { openAdministration } = await import('../../src/server/open-relay.js')
  return await openAdministration(dataDir)
}
