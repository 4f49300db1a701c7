import { DatabaseCommand } from '../../src/cli/admin/database-command.js'
import type { Column } from '../../src/cli/output/column.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'
import { formatFields } from '../../src/cli/terminal/terminal-text.js'
import {
  readDatabaseStatus,
  type DatabaseStatus as Status,
} from '../../src/server/database-tools.js'

const columns: readonly Column<Status>[] = [
  { name: 'database', isId: true, read: each => each.database },
  { name: 'server', read: each => each.server },
  { name: 'version', read: each => each.version },
  { name: 'newest', read: each => each.newest },
  { name: 'bytes', read: each => each.bytes },
  { name: 'connections', read: each => each.connections },
  { name: 'max_connections', read: each => each.maxConnections },
  { name: 'nodes', read: each => each.nodes.map(({ id }) => id) },
]

export default class DatabaseStatus extends DatabaseCommand {
  static override summary = 'Show the version of the tables of a database, and the nodes on it.'
  static override description = 'Changes nothing.'
  static override examples = [
    {
      description: 'Show the state of the database.',
      command:
        '<%= config.bin %> database status --database postgres://smsrelay@db.example.com/relay',
    },
  ]
  static override flags = outputFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(DatabaseStatus)
    const printer = await this.openPrinter(flags, columns)
    const status = await readDatabaseStatus(await this.requireDatabase(flags))
    const { maxConnections, ...fields } = status
    const shown = { ...fields, max_connections: maxConnections }
    await printer.printValue(shown, [status], () => formatStatus(status))
  }
}

function formatStatus(status: Status): string {
  const { database, server, version, newest, bytes, connections, maxConnections, nodes } = status
  const migration = version !== newest ? `, and this program needs ${newest}` : ''
  return formatFields({
    database,
    server: `PostgreSQL ${server}`,
    schema: `version ${version}${migration}`,
    size: `${(bytes / 1024 ** 2).toFixed(1)} MiB`,
    connections: `${connections} of ${maxConnections}`,
    nodes:
      nodes.length === 0
        ? 'none'
        : nodes.map(({ id, version: program }) => `${id} (${program})`).join('\n'),
  })
}
