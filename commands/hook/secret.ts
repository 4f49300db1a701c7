import { boolean, string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import type { CallOptions } from '../../src/client/call-options.js'
import type { SubscriptionClient } from '../../src/client/subscription-client.js'
import type { SubscriptionSecretReply } from '../../src/contract/subscription-schema.js'

const previousNote = 'The previous secret also signs for 24 hours.'

export default class HookSecret extends ApiCommand {
  static override summary = 'Print the secret that signs the webhooks of the account.'
  static override description =
    'Libraries for Standard Webhooks accept this secret unchanged. For 24 hours after --rotate, ' +
    'webhooks carry signatures of both the previous and the new secret.'
  static override examples = [
    {
      description: 'Store the secret for `hook listen --no-relay`.',
      command: 'export SMSRELAY_HOOK_SECRET="$(<%= config.bin %> hook secret)"',
    },
    {
      description: 'Give a subscription a secret of its own.',
      command: '<%= config.bin %> hook secret --subscription SUBSCRIPTION --rotate',
    },
    {
      description: 'Replace the secret.',
      command: '<%= config.bin %> hook secret --rotate --json',
    },
  ]
  static override flags = {
    rotate: boolean({
      description: 'Replace the secret and print the new one.',
      env: 'SMSRELAY_ROTATE',
    }),
    subscription: string({
      description: 'Id of a subscription: its own secret; with --rotate it gets one.',
      env: 'SMSRELAY_SUBSCRIPTION',
      defaultHelp: async () => 'the secret of the account',
      helpValue: 'ID',
    }),
    remove: boolean({
      description: "Remove the subscription's own secret; that of the account signs again.",
      env: 'SMSRELAY_REMOVE',
      exclusive: ['rotate'],
      dependsOn: ['subscription'],
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(HookSecret)
    const client = await this.createClient(flags)
    if (flags.subscription !== undefined) {
      const { rotate, remove, subscription: id } = flags
      const { subscriptions } = client
      const call = { options: this.callOptions, id }
      const reply = await changeSubscriptionSecret(subscriptions, call, { rotate, remove })
      this.print(reply, ({ secret }) => secret)
      if (rotate || remove) this.printNote(previousNote)
      return
    }
    const secret = flags.rotate
      ? await client.subscriptions.rotateSigningSecret(this.callOptions)
      : await client.subscriptions.getSigningSecret(this.callOptions)
    this.print({ secret }, () => secret)
    if (flags.rotate) this.printNote(previousNote)
  }
}

async function changeSubscriptionSecret(
  client: SubscriptionClient,
  { id, options }: { readonly id: string; readonly options: CallOptions },
  change: { readonly rotate: boolean; readonly remove: boolean },
): Promise<SubscriptionSecretReply> {
  if (change.rotate) return await client.rotateSecret(id, options)
  return change.remove
    ? await client.removeSecret(id, options)
    : await client.getSecret(id, options)
}
