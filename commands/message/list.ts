import { string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { messageColumns } from '../../src/cli/message/message-views.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'
import { parseInteger } from '../../src/cli/terminal/parse-values.js'
import type { ListFilterInput } from '../../src/contract/message-schema.js'

const filters = [
  'normal',
  'all',
  'error',
  'sent',
  'new',
  'failed',
  'deleted',
  'locked',
  'blocked',
] as const
const orders = ['desc', 'asc'] as const

export default class MessageList extends ApiCommand {
  static override summary = 'List messages.'
  static override examples = [
    {
      description: 'List the newest messages that are waiting.',
      command: '<%= config.bin %> message list',
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
    filter: string({
      description: 'Messages to list; normal is new or error.',
      env: 'SMSRELAY_FILTER',
      options: filters,
      default: 'normal',
    }),
    start: string({
      description: 'Number of messages to skip.',
      env: 'SMSRELAY_START',
      defaultHelp: async () => '0',
      helpValue: 'N',
    }),
    count: string({
      description: 'Number of messages to list, 1 to 100.',
      env: 'SMSRELAY_MESSAGE_COUNT',
      defaultHelp: async () => '50',
      helpValue: 'N',
    }),
    order: string({
      description: 'desc lists the newest first, asc the oldest.',
      env: 'SMSRELAY_ORDER',
      options: orders,
      default: 'desc',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(MessageList)
    const filter = {
      filter: filters.find(name => name === flags.filter),
      order: orders.find(name => name === flags.order),
      ...(flags.start === undefined
        ? {}
        : { start: parseInteger('--start', flags.start, 0, Number.MAX_SAFE_INTEGER) }),
      ...(flags.count === undefined ? {} : { count: parseInteger('--count', flags.count, 1, 100) }),
    } satisfies ListFilterInput
    const printer = await this.openPrinter(flags, messageColumns)
    const client = await this.createClient(flags)
    const messages = await client.messages.list(filter, this.callOptions)
    await printer.printList(messages, 'There are no such messages.')
    const { start = 0, count = 50 } = filter
    if (printer.hasNotes && messages.length === count) {
      const next = { ...filter, start: start + count, count: 1 }
      const more = await client.messages.list(next, this.callOptions)
      if (more.length > 0) printer.printNote(`More: --start ${next.start}`)
    }
  }
}
