import { DoNotTextCommand } from '../../src/cli/do-not-text/do-not-text-command.js'
import { formatTable } from '../../src/cli/terminal/terminal-text.js'
import type { DoNotTextFields } from '../../src/contract/do-not-text-schema.js'

export default class DoNotTextList extends DoNotTextCommand {
  static override summary = 'List the numbers of a Do Not Text list.'
  static override examples = [
    {
      description: 'List the numbers of the account.',
      command: '<%= config.bin %> do-not-text list',
    },
    {
      description: 'List the numbers of the whole relay as JSON.',
      command: '<%= config.bin %> do-not-text list --service --json',
    },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(DoNotTextList)
    const entries = await this.withList(
      flags,
      () => import('../../src/server/open-relay.js'),
      list => list.list(this.callOptions),
    )
    this.printList(entries, formatEntries, 'The list is empty.')
  }
}

function formatEntries(entries: readonly DoNotTextFields[], columns?: number): string {
  const rows = entries.map(each => [
    each.number,
    each.scope,
    each.added_on,
    each.reason ?? '-',
    each.by ?? '-',
    each.note ?? '',
  ])
  return formatTable(['NUMBER', 'LIST', 'ADDED (UTC)', 'REASON', 'BY', 'NOTE'], rows, columns)
}
