import { SubscriptionCommand } from '../../src/cli/hook/subscription-command.js'

export default class HookPause extends SubscriptionCommand {
  static override summary = 'Deliver nothing to a subscription until it is resumed.'
  static override description =
    'A hit in flight is finished. Events go on being recorded, and wait in order.'
  static override examples = ['<%= config.bin %> hook pause SUBSCRIPTION']

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookPause)
    await this.changeSubscription(args.subscription, flags, (client, id, call) =>
      client.subscriptions.pause(id, call),
    )
  }
}
