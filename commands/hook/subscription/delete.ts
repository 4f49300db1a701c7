import { SubscriptionCommand } from '../../../src/cli/hook/subscription-command.js'

export default class HookDelete extends SubscriptionCommand {
  static override summary = 'Remove a subscription.'
  static override examples = [
    {
      description: 'Remove a subscription.',
      command: '<%= config.bin %> hook delete SUBSCRIPTION',
    },
  ]

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookDelete)
    const id = await this.requireSubscription(args.subscription)
    const client = await this.createClient(flags)
    await client.subscriptions.delete(id, this.callOptions)
    this.print({ id }, () => `Removed ${id}.`)
  }
}
