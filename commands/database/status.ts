import { DatabaseCommand } from '../../src/cli/admin/database-command.js'
import { formatFields } from '../../src/cli/terminal/terminal-text.js'
import {
  readDatabaseStatus,
  type DatabaseStatus as Status,
} from '../../src/server/database-tools.js'

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

  async run(): Promise<void> {
    const { flags } = await this.parse(DatabaseStatus)
    const status = await readDatabaseStatus(await this.requireDatabase(flags))
    const { maxConnections, ...fields } = status
    this.print({ ...fields, max_connections: maxConnections }, () => formatStatus(status))
  }
}

function formatStatus(status: Status): string {
  const { database, server, version, newest, bytes, connections, maxConnections, nodes } = status
  const migration = version < newest ? `, and this program needs ${newest}` : ''
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
