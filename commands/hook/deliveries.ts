import { boolean, string } from '@oclif/core/flags'
import { deliveryColumns } from '../../src/cli/hook/delivery-views.js'
import { SubscriptionCommand } from '../../src/cli/hook/subscription-command.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'
import { parseInteger } from '../../src/cli/terminal/parse-values.js'

export default class HookDeliveries extends SubscriptionCommand {
  static override summary = 'List the delivery attempts of a subscription, newest first.'
  static override description =
    'Attempts are stored for 30 days. -o wide adds the id of each attempt, for --before, and ' +
    '--json the stored part of its response.'
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
    ...outputFlags,
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
      count: count === undefined ? 50 : parseInteger('--count', count, 1, 100),
      ...(before === undefined ? {} : { before }),
    }
    const printer = await this.openPrinter(flags, deliveryColumns)
    const id = await this.requireSubscription(args.subscription)
    const { subscriptions } = await this.createClient(flags)
    const deliveries = await subscriptions.listDeliveries(id, filter, this.callOptions)
    await printer.printList(deliveries, 'There are no matching attempts.')
    const last = deliveries.at(-1)?.id
    if (printer.hasNotes && last !== undefined && deliveries.length === filter.count) {
      const next = { ...filter, count: 1, before: last }
      const more = await subscriptions.listDeliveries(id, next, this.callOptions)
      if (more.length > 0) printer.printNote(`More: --before ${last}`)
    }
  }
}
