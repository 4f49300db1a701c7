import { ApiCommand } from '../../src/cli/command/api-command.js'
import { subscriptionTable } from '../../src/cli/message/message-views.js'

export default class HookList extends ApiCommand {
  static override summary = 'List the subscriptions of the account.'
  static override examples = ['<%= config.bin %> hook list', '<%= config.bin %> hook list --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(HookList)
    const client = await this.client(flags)
    const found = await client.listSubscriptions(this.call)
    this.line(found, () => (found.length === 0 ? undefined : subscriptionTable(found)))
    if (found.length === 0) this.note('There are no subscriptions.')
  }
}
