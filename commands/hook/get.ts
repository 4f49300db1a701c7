import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { formatSubscription } from '../../src/cli/message/message-views.js'

export default class HookGet extends ApiCommand {
  static override summary = 'Show a subscription.'
  static override examples = ['<%= config.bin %> hook get ID']
  static override args = { id: defineRequiredArgument('Identifier of the subscription.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookGet)
    const id = await this.requireValue(args.id, {
      name: 'ID',
      message: 'Identifier of the subscription',
    })
    const client = await this.createClient(flags)
    this.print(await client.subscriptions.get(id, this.callOptions), formatSubscription)
  }
}
