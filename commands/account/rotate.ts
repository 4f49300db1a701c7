import { string } from '@oclif/core/flags'
import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { canAsk, choose } from '../../src/cli/terminal/prompt.js'
import { formatFields } from '../../src/cli/terminal/terminal-text.js'
import { openAdministration } from '../../src/server/open-relay.js'

const keys = ['secret', 'api', 'app', 'hook', 'all'] as const

export default class AccountRotate extends AdminCommand {
  static override summary = 'Replace keys of an account and print the new ones, once.'
  static override description =
    'The old keys and every token issued from them end at once. Saved profiles keep the old keys: ' +
    'run `smsrelay login` with the new ones. With `hook` the secret that signs hits is replaced (as by ' +
    '`smsrelay hook secret --rotate`); the old one signs beside it for 24 hours.'
  static override examples = ['<%= config.bin %> account rotate ann@example.com --key api']
  static override args = { email: defineRequiredArgument('E-mail address of the account.') }
  static override flags = { key: string({ description: 'Which key to replace.', options: keys }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AccountRotate)
    const email = await this.requireValue(args.email, { name: 'EMAIL', message: 'E-mail address' })
    const asked =
      flags.key === undefined && canAsk(this.io, this.json)
        ? await choose('Which key', keys, this.io)
        : flags.key
    const name = await this.requireValue(asked, { name: '--key', message: 'Which key' })
    const key = keys.find(each => each === name) ?? 'all'
    const rotated = await this.withAdministration(openAdministration, flags.data, admin =>
      admin.rotateKeys(email, key),
    )
    this.print(rotated, ({ email, secret_key, api_key, app_key, hook_secret }) =>
      formatFields({
        email,
        ...(secret_key === undefined ? {} : { 'secret key': secret_key }),
        ...(api_key === undefined ? {} : { 'API key': api_key }),
        ...(app_key === undefined ? {} : { 'application key': app_key }),
        ...(hook_secret === undefined ? {} : { 'hook secret': hook_secret }),
      }),
    )
  }
}
