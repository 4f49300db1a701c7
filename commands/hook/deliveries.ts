import { boolean, string } from '@oclif/core/flags'
import { formatDeliveryTable } from '../../src/cli/hook/delivery-views.js'
import { SubscriptionCommand } from '../../src/cli/hook/subscription-command.js'
import { parseInteger } from '../../src/cli/terminal/parse-values.js'

export default class HookDeliveries extends SubscriptionCommand {
  static override summary = 'List the delivery attempts of a subscription, newest first.'
  static override description =
    'Attempts are stored for 30 days. --json adds the id of each attempt, for --before, and the ' +
    'stored part of its response.'
  static override examples = [
    {
      description: 'List the last 50 attempts.',
      command: '<%= config.bin %> hook deliveries SUBSCRIPTION',
    },
    {
      description: 'Print the last ten failed attempts as JSON.',
      command: '<%= config.bin %> hook deliveries SUBSCRIPTION --failed --count 10 --json',
    },
  ]
  static override flags = {
    failed: boolean({ description: 'List only failed attempts.', env: 'SMSRELAY_FAILED' }),
    count: string({
      description: 'Number of attempts, 1 to 100.',
      env: 'SMSRELAY_HOOK_DELIVERIES_COUNT',
      defaultHelp: async () => '50',
      helpValue: 'N',
    }),
    before: string({
      description: 'List attempts before the one with this id.',
      env: 'SMSRELAY_HOOK_BEFORE',
      helpValue: 'ID',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookDeliveries)
    const { failed, count, before } = flags
    const filter = {
      failed,
      ...(count === undefined ? {} : { count: parseInteger('--count', count, 1, 100) }),
      ...(before === undefined ? {} : { before }),
    }
    const id = await this.requireSubscription(args.subscription)
    const client = await this.createClient(flags)
    const deliveries = await client.subscriptions.listDeliveries(id, filter, this.callOptions)
    this.printList(deliveries, formatDeliveryTable, 'There are no matching attempts.')
  }
}
