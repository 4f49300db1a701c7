import { ApiCommand } from '../../src/cli/command/api-command.js'
import { formatSubscriptionTable } from '../../src/cli/message/message-views.js'

export default class HookList extends ApiCommand {
  static override summary = 'List the subscriptions of the account.'
  static override examples = ['<%= config.bin %> hook list', '<%= config.bin %> hook list --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(HookList)
    const client = await this.createClient(flags)
    const found = await client.subscriptions.list(this.callOptions)
    this.printLine(found, () => (found.length === 0 ? undefined : formatSubscriptionTable(found)))
    if (found.length === 0) this.printNote('There are no subscriptions.')
  }
}
