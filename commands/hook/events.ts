import { ApiCommand } from '../../src/cli/command/api-command.js'

export default class HookEvents extends ApiCommand {
  static override summary = 'List the events that subscriptions can have.'
  static override examples = [
    { description: 'List the events.', command: '<%= config.bin %> hook events' },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(HookEvents)
    const client = await this.createClient(flags)
    this.print(await client.subscriptions.listEventNames(this.callOptions), events =>
      events.join('\n'),
    )
  }
}
