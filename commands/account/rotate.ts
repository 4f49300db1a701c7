import { string } from '@oclif/core/flags'
import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { canAsk, choose } from '../../src/cli/terminal/prompt.js'
import { formatFields } from '../../src/cli/terminal/terminal-text.js'
import { openAdministration } from '../../src/server/open-relay.js'

const keys = ['secret', 'api', 'app', 'hook', 'all'] as const

export default class AccountRotate extends AdminCommand {
  static override summary = 'Replace keys of an account and print the new ones, only once.'
  static override description =
    'The old keys and all tokens issued from them end at once; `smsrelay login` saves new keys. ' +
    'The key `hook` is the signing secret of webhooks (see `hook secret --rotate`): ' +
    'webhooks are signed with both secrets for 24 hours.'
  static override examples = [
    {
      description: 'Replace the API key.',
      command: '<%= config.bin %> account rotate ann@example.com --key api',
    },
  ]
  static override args = { email: defineRequiredArgument('E-mail address of the account.') }
  static override flags = {
    key: string({ description: 'Key to replace.', env: 'SMSRELAY_KEY', options: keys }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AccountRotate)
    const email = await this.requireValue(args.email, { name: 'EMAIL', message: 'E-mail address' })
    const chosen =
      flags.key === undefined && canAsk(this.io, this.json)
        ? await choose('Key to replace', keys, this.io)
        : flags.key
    const name = await this.requireValue(chosen, { name: '--key', message: 'Key to replace' })
    const key = keys.find(each => each === name) ?? 'all'
    const rotated = await this.withAdministration(openAdministration, flags, admin =>
      admin.rotateKeys(email, key),
    )
    this.print(rotated, ({ email, secret_key, api_key, app_key, hook_secret }) =>
      formatFields({
        email,
        ...(secret_key === undefined ? {} : { 'secret key': secret_key }),
        ...(api_key === undefined ? {} : { 'API key': api_key }),
        ...(app_key === undefined ? {} : { 'application key': app_key }),
        ...(hook_secret === undefined ? {} : { 'signing secret': hook_secret }),
      }),
    )
  }
}
