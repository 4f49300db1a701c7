import { ApiCommand } from '../../src/cli/command/api-command.js'
import type { Column } from '../../src/cli/output/column.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'

const columns: readonly Column<string>[] = [{ name: 'event', isId: true, read: name => name }]

export default class HookEvents extends ApiCommand {
  static override summary = 'List the events that subscriptions can have.'
  static override examples = [
    { description: 'List the events.', command: '<%= config.bin %> hook events' },
  ]
  static override flags = outputFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(HookEvents)
    const printer = await this.openPrinter(flags, columns)
    const client = await this.createClient(flags)
    const events = await client.subscriptions.listEventNames(this.callOptions)
    await printer.printValue(events, events, () => events.join('\n'))
  }
}
