import { SubscriptionCommand } from '../../../src/cli/hook/subscription-command.js'

export default class HookPause extends SubscriptionCommand {
  static override summary = 'Stop the deliveries of a subscription until it is resumed.'
  static override description =
    'A webhook in progress is finished. New events are recorded, and wait in order.'
  static override examples = [
    { description: 'Stop the deliveries.', command: '<%= config.bin %> hook pause SUBSCRIPTION' },
  ]

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookPause)
    await this.changeSubscription(args.subscription, flags, (client, id, options) =>
      client.subscriptions.pause(id, options),
    )
  }
}
