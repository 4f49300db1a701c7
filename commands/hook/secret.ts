import { boolean } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'

export default class HookSecret extends ApiCommand {
  static override summary = 'Print the secret that signs the webhooks of the account.'
  static override description =
    'Libraries for Standard Webhooks accept this secret unchanged. For 24 hours after --rotate, ' +
    'webhooks carry signatures of both the previous and the new secret.'
  static override examples = [
    {
      description: 'Store the secret for `hook verify` and `hook receive`.',
      command: 'export SMSRELAY_HOOK_SECRET="$(<%= config.bin %> hook secret)"',
    },
    {
      description: 'Replace the secret.',
      command: '<%= config.bin %> hook secret --rotate --json',
    },
  ]
  static override flags = {
    rotate: boolean({ description: 'Replace the secret and print the new one.' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(HookSecret)
    const client = await this.createClient(flags)
    const secret = flags.rotate
      ? await client.subscriptions.rotateSigningSecret(this.callOptions)
      : await client.subscriptions.getSigningSecret(this.callOptions)
    this.print({ secret }, () => secret)
    if (flags.rotate) this.printNote('The previous secret also signs for 24 hours.')
  }
}
