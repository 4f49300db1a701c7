import { ApiCommand } from '../../src/cli/command/api-command.js'
import { neededArgument } from '../../src/cli/command/arguments.js'
import { subscriptionView } from '../../src/cli/message/message-views.js'

export default class HookGet extends ApiCommand {
  static override summary = 'Show a subscription.'
  static override examples = ['<%= config.bin %> hook get ID']
  static override args = { id: neededArgument('Identifier of the subscription.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookGet)
    const id = await this.need(args.id, { name: 'ID', message: 'Identifier of the subscription' })
    const client = await this.client(flags)
    this.show(await client.getSubscription(id, this.call), subscriptionView)
  }
}
