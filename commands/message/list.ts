import { ApiCommand } from '../../src/cli/command/api-command.js'
import { listFlags, parseListFlags } from '../../src/cli/message/list-flags.js'
import { messageColumns } from '../../src/cli/message/message-views.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'
import type { RelayClient } from '../../src/client/relay-client.js'
import type { ListFilterInput } from '../../src/contract/message-schema.js'

const noneWaiting = 'No messages are waiting. List all: smsrelay message list --filter all'
const noneFound = 'There are no such messages.'

export default class MessageList extends ApiCommand {
  static override summary = 'List messages.'
  static override examples = [
    {
      description: 'List the newest messages that are waiting.',
      command: '<%= config.bin %> message list',
    },
    {
      description: 'List what failed since yesterday, with the reasons.',
      command: '<%= config.bin %> message list --state failed --since 1d',
    },
    {
      description: 'List failed messages as JSON.',
      command: '<%= config.bin %> message list --filter failed --count 100 --json',
    },
    {
      description: 'Save numbers and errors for a spreadsheet.',
      command:
        '<%= config.bin %> message list --filter failed -o csv ' +
        '--columns destination,status_date,last_error > failed.csv',
    },
    {
      description: 'Lock all waiting messages.',
      command: '<%= config.bin %> message list -q | xargs -n1 <%= config.bin %> message lock',
    },
    {
      description: 'Print only the texts.',
      command: "<%= config.bin %> message list --jq '.[].message'",
    },
  ]
  static override flags = {
    ...outputFlags,
    ...listFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(MessageList)
    const filter = parseListFlags(flags, this.io.clock.now())
    const printer = await this.openPrinter(flags, messageColumns)
    const client = await this.createClient(flags)
    const page = await client.messages.listPage(filter, this.callOptions)
    await printer.printList(page.messages, filter.filter === 'normal' ? noneWaiting : noneFound)
    if (!printer.hasNotes) return
    const start = page.next ?? (await this.#findNextStart(client, filter, page.messages.length))
    if (start !== undefined) printer.printNote(`More: --start ${start}`)
  }

  /** Asks for a message behind a full page; not with the flags by which the relay pages itself. */
  async #findNextStart(
    client: RelayClient,
    filter: ListFilterInput,
    listed: number,
  ): Promise<number | undefined> {
    const { start = 0, count = 50, since, until, to, phone, source, reason } = filter
    const isSearch = (since ?? until ?? to ?? phone ?? source ?? reason) !== undefined
    if (listed < count || isSearch) return undefined
    const next = { ...filter, start: start + count, count: 1 }
    const more = await client.messages.list(next, this.callOptions)
    return more.length > 0 ? next.start : undefined
  }
}
