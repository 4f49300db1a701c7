import { SubscriptionCommand } from '../../../src/cli/hook/subscription-command.js'

export default class HookResume extends SubscriptionCommand {
  static override summary = 'Continue the deliveries of a subscription, or retry at once.'
  static override description =
    'The first waiting event is sent at once, and its retry times start again.'
  static override examples = [
    {
      description: 'Continue after `hook pause`, or do not wait for the next retry.',
      command: '<%= config.bin %> hook resume SUBSCRIPTION',
    },
  ]

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookResume)
    await this.changeSubscription(args.subscription, flags, (client, id, options) =>
      client.subscriptions.resume(id, options),
    )
  }
}
