import { boolean } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'

export default class HookSecret extends ApiCommand {
  static override summary = 'Print the secret that signs the hits of the account.'
  static override description =
    'Hits are signed as Standard Webhooks says; every library of that standard takes this secret as it is. ' +
    'After --rotate hits carry the signatures of the old and of the new secret for 24 hours.'
  static override examples = [
    'export SMSRELAY_HOOK_SECRET="$(<%= config.bin %> hook secret)"',
    '<%= config.bin %> hook secret --rotate --json',
  ]
  static override flags = {
    rotate: boolean({ description: 'Replace the secret, and print the new one.' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(HookSecret)
    const client = await this.createClient(flags)
    const secret = flags.rotate
      ? await client.subscriptions.rotateSigningSecret(this.callOptions)
      : await client.subscriptions.getSigningSecret(this.callOptions)
    this.print({ secret }, () => secret)
    if (flags.rotate) this.printNote('The old secret signs beside it for 24 hours.')
  }
}
