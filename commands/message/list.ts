import { string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { formatMessageTable } from '../../src/cli/message/message-views.js'
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
    '<%= config.bin %> message list',
    '<%= config.bin %> message list --filter failed --count 100 --json',
  ]
  static override flags = {
    filter: string({
      description: 'Which messages; normal is new or error.',
      options: filters,
      default: 'normal',
    }),
    start: string({ description: 'How many to skip.', helpValue: 'N' }),
    count: string({ description: 'How many to list, 1 to 100. [default: 50]', helpValue: 'N' }),
    order: string({
      description: 'desc: last to first; asc: first to last.',
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
        : { start: parseInteger('--start', flags.start, 0, 2 ** 53 - 1) }),
      ...(flags.count === undefined ? {} : { count: parseInteger('--count', flags.count, 1, 100) }),
    } satisfies ListFilterInput
    const client = await this.createClient(flags)
    const messages = await client.messages.list(filter, this.callOptions)
    const columns = this.io.stdout.isTTY === true ? this.io.stdout.columns : undefined
    this.printLine(messages, () =>
      messages.length === 0 ? undefined : formatMessageTable(messages, columns),
    )
    if (messages.length === 0) this.printNote('There are no such messages.')
  }
}
