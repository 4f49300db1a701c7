import { boolean } from '@oclif/core/flags'
import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { Interrupted } from '../../src/cli/terminal/interruption.js'
import { canAsk, confirm } from '../../src/cli/terminal/prompt.js'
import { RelayError } from '../../src/errors.js'
import { openAdministration } from '../../src/server/open-relay.js'

export default class AccountDelete extends AdminCommand {
  static override summary = 'Delete an account and everything it owns.'
  static override examples = [
    {
      description: 'Delete an account without a question.',
      command: '<%= config.bin %> account delete ann@example.com --yes',
    },
  ]
  static override args = { email: defineRequiredArgument('E-mail address of the account.') }
  static override flags = {
    yes: boolean({ char: 'y', description: 'Delete without a confirmation.', env: 'SMSRELAY_YES' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AccountDelete)
    const email = await this.requireValue(args.email, { name: 'EMAIL', message: 'E-mail address' })
    if (!flags.yes) await this.#confirm(email)
    const deleted = await this.withAdministration(openAdministration, flags, admin =>
      admin.deleteAccount(email),
    )
    this.print(deleted, each => `Deleted ${each.email}.`)
  }

  async #confirm(email: string): Promise<void> {
    if (!canAsk(this.io, this.json)) {
      throw new RelayError('usage', `Deleting ${email} needs a confirmation.`, {
        hint: 'Add --yes.',
      })
    }
    const isConfirmed = await confirm(`Delete ${email} and its messages permanently?`, this.io)
    if (!isConfirmed) throw new Interrupted('Nothing was deleted.')
  }
}
