import { boolean } from '@oclif/core/flags'
import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { readPassword } from '../../src/cli/terminal/read-password.js'
import { formatFields } from '../../src/cli/terminal/terminal-text.js'
import { openAdministration } from '../../src/server/open-relay.js'

export default class AccountPassword extends AdminCommand {
  static override summary = 'Set the password of an account.'
  static override description =
    'Reads the password from SMSRELAY_PASSWORD, a prompt or a pipe. ' +
    'Signs the account out everywhere.'
  static override examples = [
    {
      description: 'Ask for a new password.',
      command: '<%= config.bin %> account password ann@example.com',
    },
    {
      description: 'Set a random password.',
      command: '<%= config.bin %> account password ann@example.com --random --json',
    },
  ]
  static override args = { email: defineRequiredArgument('E-mail address of the account.') }
  static override flags = {
    random: boolean({ description: 'Set a random password and print it.', env: 'SMSRELAY_RANDOM' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AccountPassword)
    const email = await this.requireValue(args.email, { name: 'EMAIL', message: 'E-mail address' })
    const chosen = flags.random ? undefined : await readPassword(this.io, this.json, true)
    const result = await this.withAdministration(openAdministration, flags, admin =>
      admin.setPassword(email, chosen),
    )
    if (flags.random) return this.print(result, formatFields)
    this.print({ email: result.email }, each => `Set the password of ${each.email}.`)
  }
}
