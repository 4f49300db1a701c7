import { string } from '@oclif/core/flags'
import { parseSequence } from '../../src/cli/hook/hook-flags.js'
import { SubscriptionCommand } from '../../src/cli/hook/subscription-command.js'

export default class HookSkip extends SubscriptionCommand {
  static override summary = 'Skip the event that waits, so that the next ones are delivered.'
  static override description =
    'An event waits after a failed webhook, or if the subscription is paused. A paused ' +
    'subscription stays paused. `hook resend` can send a skipped event later.'
  static override examples = [
    {
      description: 'Skip the event that waits.',
      command: '<%= config.bin %> hook skip SUBSCRIPTION',
    },
    {
      description: 'Skip event 12, or nothing if another event waits.',
      command: '<%= config.bin %> hook skip SUBSCRIPTION --sequence 12',
    },
  ]
  static override flags = {
    sequence: string({
      description: 'Skip only the event with this sequence.',
      env: 'SMSRELAY_SEQUENCE',
      helpValue: 'SEQ',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookSkip)
    const { sequence } = flags
    const event = sequence === undefined ? {} : { sequence: parseSequence('--sequence', sequence) }
    await this.changeSubscription(args.subscription, flags, (client, id, options) =>
      client.subscriptions.skip(id, event, options),
    )
  }
}
