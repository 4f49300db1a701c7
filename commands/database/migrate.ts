import { DatabaseCommand } from '../../src/cli/admin/database-command.js'
import { type DatabaseMigration, migrateDatabase } from '../../src/server/database-tools.js'

export default class DatabaseMigrate extends DatabaseCommand {
  static override summary = 'Create the tables in an empty database.'
  static override description =
    'Changes nothing if the tables are there. ' +
    '`serve` does the same at its start, unless it has --no-migrate.'
  static override examples = [
    {
      description: 'Migrate as a role that may create tables.',
      command:
        '<%= config.bin %> database migrate --database postgres://admin@db.example.com/relay',
    },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(DatabaseMigrate)
    const result = await migrateDatabase(await this.requireDatabase(flags))
    this.print(result, formatMigration)
  }
}

function formatMigration({ database, before, version }: DatabaseMigration): string {
  if (before >= version) return `The database ${database} has schema version ${version} already.`
  return `The database ${database} has schema version ${version} now; it was ${before}.`
}
