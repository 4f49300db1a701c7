import { ApiCommand } from '../../../src/cli/command/api-command.js'
import { subscriptionColumns } from '../../../src/cli/hook/subscription-views.js'
import { outputFlags } from '../../../src/cli/output/output-flags.js'

export default class HookList extends ApiCommand {
  static override summary = 'List the subscriptions of the account.'
  static override examples = [
    { description: 'List the subscriptions.', command: '<%= config.bin %> hook list' },
    {
      description: 'List the subscriptions as JSON.',
      command: '<%= config.bin %> hook list --json',
    },
  ]
  static override flags = outputFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(HookList)
    const printer = await this.openPrinter(flags, subscriptionColumns)
    const client = await this.createClient(flags)
    const subscriptions = await client.subscriptions.list(this.callOptions)
    await printer.printList(subscriptions, 'There are no subscriptions.')
  }
}
