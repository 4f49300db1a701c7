import { DoNotTextCommand } from '../../src/cli/do-not-text/do-not-text-command.js'
import type { Column } from '../../src/cli/output/column.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'
import type { DoNotTextFields } from '../../src/contract/do-not-text-schema.js'

const columns: readonly Column<DoNotTextFields>[] = [
  { name: 'number', isId: true, read: each => each.number },
  { name: 'scope', title: 'list', read: each => each.scope },
  { name: 'added_on', title: 'added', isTime: true, read: each => each.added_on },
  { name: 'reason', empty: '-', read: each => each.reason },
  { name: 'by', empty: '-', read: each => each.by },
  { name: 'note', canTruncate: true, read: each => each.note },
]

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
  static override flags = outputFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(DoNotTextList)
    const printer = await this.openPrinter(flags, columns)
    const entries = await this.withList(
      flags,
      () => import('../../src/server/open-relay.js'),
      list => list.list(this.callOptions),
    )
    await printer.printList(entries, 'The list is empty.')
  }
}
