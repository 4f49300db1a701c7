import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { formatDelivery } from '../../src/cli/hook/delivery-views.js'
import { parseSequence } from '../../src/cli/hook/hook-flags.js'
import { SubscriptionCommand } from '../../src/cli/hook/subscription-command.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'

export default class HookResend extends SubscriptionCommand {
  static override summary = 'Send one event of a subscription again, and show the result.'
  static override description =
    'Makes one attempt, which changes neither the order nor the position of the subscription. ' +
    'Exits with 1 if it fails.'
  static override examples = [
    {
      description: 'Send event 12 again.',
      command: '<%= config.bin %> hook resend SUBSCRIPTION 12',
    },
  ]
  static override args = {
    ...SubscriptionCommand.args,
    sequence: defineRequiredArgument('Sequence of the event; see `hook deliveries`.'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookResend)
    const id = await this.requireSubscription(args.subscription)
    const question = { name: 'SEQUENCE', message: 'Sequence of the event' }
    const sequence = parseSequence('SEQUENCE', await this.requireValue(args.sequence, question))
    const client = await this.createClient(flags)
    const delivery = await client.subscriptions.resend(id, sequence, this.callOptions)
    this.print(delivery, formatDelivery)
    if (!delivery.ok) this.setExitCode(exitCodes.failed)
  }
}
