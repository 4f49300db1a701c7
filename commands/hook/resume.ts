import { SubscriptionCommand } from '../../src/cli/hook/subscription-command.js'

export default class HookResume extends SubscriptionCommand {
  static override summary = 'Deliver to a subscription again, or retry at once.'
  static override description =
    'Goes on with the event that waits, at once and with its retry times anew, whether the subscription was paused ' +
    'or waits for a retry.'
  static override examples = ['<%= config.bin %> hook resume SUBSCRIPTION']

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookResume)
    await this.changeSubscription(args.subscription, flags, (client, id, call) =>
      client.subscriptions.resume(id, call),
    )
  }
}
