import { formatTestResult } from '../../src/cli/hook/delivery-views.js'
import { SubscriptionCommand } from '../../src/cli/hook/subscription-command.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'

export default class HookTest extends SubscriptionCommand {
  static override summary = 'Send a signed test webhook of a subscription, and show the result.'
  static override description =
    'The webhook has the header webhook-test and no message id. It is not an event: it has no ' +
    'sequence and is not logged. Exits with 1 if it fails.'
  static override examples = [
    { description: 'Test a receiver.', command: '<%= config.bin %> hook test SUBSCRIPTION' },
  ]

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookTest)
    const id = await this.requireSubscription(args.subscription)
    const client = await this.createClient(flags)
    const result = await client.subscriptions.test(id, this.callOptions)
    this.print(result, formatTestResult)
    if (!result.ok) this.setExitCode(exitCodes.failed)
  }
}
