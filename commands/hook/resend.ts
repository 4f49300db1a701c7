import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { formatDelivery } from '../../src/cli/hook/delivery-views.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { parseInteger } from '../../src/cli/terminal/parse-values.js'

export default class HookResend extends ApiCommand {
  static override summary = 'Send one event to a subscription again, and show what came of it.'
  static override description =
    'One attempt, outside the order; the subscription goes on where it was. Exit code 1 when it failed.'
  static override examples = ['<%= config.bin %> hook resend SUBSCRIPTION 12']
  static override args = {
    subscription: defineRequiredArgument('Identifier of the subscription.'),
    sequence: defineRequiredArgument('Sequence of the event; see `hook deliveries`.'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookResend)
    const id = await this.requireValue(args.subscription, {
      name: 'SUBSCRIPTION',
      message: 'Identifier of the subscription',
    })
    const text = await this.requireValue(args.sequence, {
      name: 'SEQUENCE',
      message: 'Sequence of the event',
    })
    const sequence = parseInteger('SEQUENCE', text, 1, 1e15 - 1)
    const client = await this.createClient(flags)
    const delivery = await client.subscriptions.resend(id, sequence, this.callOptions)
    this.print(delivery, formatDelivery)
    if (!delivery.ok) this.setExitCode(exitCodes.failed)
  }
}
