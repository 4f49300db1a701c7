import { boolean } from '@oclif/core/flags'
import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { readPassword } from '../../src/cli/terminal/read-password.js'
import { formatFields } from '../../src/cli/terminal/terminal-text.js'
import { openAdministration } from '../../src/server/open-relay.js'

export default class AccountPassword extends AdminCommand {
  static override summary = 'Set the password of an account.'
  static override description =
    'The password is that of SMSRELAY_PASSWORD, or asked for, or piped in; --random makes one and prints it. ' +
    'Everyone who is logged in is logged out.'
  static override examples = [
    '<%= config.bin %> account password ann@example.com',
    '<%= config.bin %> account password ann@example.com --random --json',
  ]
  static override args = { email: defineRequiredArgument('E-mail address of the account.') }
  static override flags = {
    random: boolean({ description: 'Make a random password and print it.' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AccountPassword)
    const email = await this.requireValue(args.email, { name: 'EMAIL', message: 'E-mail address' })
    const chosen = flags.random ? undefined : await readPassword(this.io, this.json, true)
    const set = await this.withAdministration(openAdministration, flags.data, admin =>
      admin.setPassword(email, chosen),
    )
    const shown = flags.random ? set : { email: set.email }
    this.print(shown, each =>
      flags.random ? formatFields(each) : `The password of ${each.email} is set.`,
    )
  }
}
