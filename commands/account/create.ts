import { boolean } from '@oclif/core/flags'
import { accountFlags, toAccountSettings } from '../../src/cli/admin/account-flags.js'
import { formatNewAccount } from '../../src/cli/admin/account-views.js'
import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { readPassword } from '../../src/cli/terminal/read-password.js'
import { openAdministration } from '../../src/server/open-relay.js'

export default class AccountCreate extends AdminCommand {
  static override summary = 'Create an account and print its keys, once.'
  static override description =
    'The password is a random one, or that of SMSRELAY_PASSWORD, or with --password asked for or piped in.'
  static override examples = [
    '<%= config.bin %> account create ann@example.com',
    'echo "$PASSWORD" | <%= config.bin %> account create ann@example.com --password --country DE --json',
  ]
  static override args = { email: defineRequiredArgument('E-mail address of the account.') }
  static override flags = {
    password: boolean({ description: 'Ask for the password, or read it from a pipe.' }),
    ...accountFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AccountCreate)
    const email = await this.requireValue(args.email, { name: 'EMAIL', message: 'E-mail address' })
    const chosen = flags.password || (this.io.env.SMSRELAY_PASSWORD ?? '') !== ''
    const password = chosen ? { password: await readPassword(this.io, this.json, true) } : {}
    const draft = { email, ...password, ...toAccountSettings(flags) }
    const open = (dataDir: string) => openAdministration(dataDir, { create: true })
    const account = await this.withAdministration(open, flags.data, admin =>
      admin.createAccount(draft),
    )
    this.print(account, formatNewAccount)
  }
}
