import { ApiCommand } from '../../../src/cli/command/api-command.js'
import { formatSubscriptionTable } from '../../../src/cli/hook/subscription-views.js'

export default class HookList extends ApiCommand {
  static override summary = 'List the subscriptions of the account.'
  static override examples = [
    { description: 'List the subscriptions.', command: '<%= config.bin %> hook list' },
    {
      description: 'List the subscriptions as JSON.',
      command: '<%= config.bin %> hook list --json',
    },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(HookList)
    const client = await this.createClient(flags)
    const subscriptions = await client.subscriptions.list(this.callOptions)
    this.printList(subscriptions, formatSubscriptionTable, 'There are no subscriptions.')
  }
}
