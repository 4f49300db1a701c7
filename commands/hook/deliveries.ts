import { boolean, string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { formatDeliveryTable } from '../../src/cli/hook/delivery-views.js'
import { parseInteger } from '../../src/cli/terminal/parse-values.js'

export default class HookDeliveries extends ApiCommand {
  static override summary = 'List the attempts to deliver to a subscription, the newest first.'
  static override description =
    'Each with its answer and how long it took; they are kept 30 days. --json has the whole of what is kept of an ' +
    'answer, and the id for --before.'
  static override examples = [
    '<%= config.bin %> hook deliveries SUBSCRIPTION',
    '<%= config.bin %> hook deliveries SUBSCRIPTION --failed --count 10 --json',
  ]
  static override args = { subscription: defineRequiredArgument('Identifier of the subscription.') }
  static override flags = {
    failed: boolean({ description: 'Only those that failed.' }),
    count: string({ description: 'How many to list, 1 to 100. [default: 50]', helpValue: 'N' }),
    before: string({ description: 'Go on before the attempt with this id.', helpValue: 'ID' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookDeliveries)
    const { failed, count, before } = flags
    const filter = {
      failed,
      ...(count === undefined ? {} : { count: parseInteger('--count', count, 1, 100) }),
      ...(before === undefined ? {} : { before }),
    }
    const id = await this.requireValue(args.subscription, {
      name: 'SUBSCRIPTION',
      message: 'Identifier of the subscription',
    })
    const client = await this.createClient(flags)
    const found = await client.subscriptions.listDeliveries(id, filter, this.callOptions)
    const columns = this.io.stdout.isTTY === true ? this.io.stdout.columns : undefined
    this.printLine(found, () =>
      found.length === 0 ? undefined : formatDeliveryTable(found, columns),
    )
    if (found.length === 0) this.printNote('There are no such attempts.')
  }
}
