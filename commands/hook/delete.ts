import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'

export default class HookDelete extends ApiCommand {
  static override summary = 'Remove a subscription.'
  static override examples = ['<%= config.bin %> hook delete ID']
  static override args = { id: defineRequiredArgument('Identifier of the subscription.') }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(HookDelete)
    const id = await this.requireValue(args.id, {
      name: 'ID',
      message: 'Identifier of the subscription',
    })
    const client = await this.createClient(flags)
    await client.subscriptions.delete(id, this.callOptions)
    this.print({ id }, () => `Removed ${id}.`)
  }
}
