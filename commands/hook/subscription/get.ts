import { SubscriptionCommand } from '../../../src/cli/hook/subscription-command.js'
import { outputFlags } from '../../../src/cli/output/output-flags.js'

export default class HookGet extends SubscriptionCommand {
  static override summary = 'Show a subscription.'
  static override examples = [
    { description: 'Show a subscription.', command: '<%= config.bin %> hook get SUBSCRIPTION' },
  ]
  static override flags = outputFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookGet)
    await this.changeSubscription(args.subscription, flags, (client, id, options) =>
      client.subscriptions.get(id, options),
    )
  }
}
