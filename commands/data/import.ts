import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { readLines } from '../../src/cli/terminal/stdin.js'
import type { DatabaseSettings } from '../../src/server/config/store-location.js'
import { importDirectory } from '../../src/server/data-directory.js'

export default class DataImport extends AdminCommand {
  static override summary =
    'Create a data directory, or fill an empty database, from the output of `data export`.'
  static override description =
    'Checks every record first. An error is reported with its line, and nothing is imported.'
  static override examples = [
    {
      description: 'Import into a new directory.',
      command: '<%= config.bin %> data import --data ./new < relay.ndjson',
    },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(DataImport)
    const { signal } = this
    const lines = readLines(this.io.stdin, signal)
    const { dataDir = '', database } = await this.getLocation(flags)
    const count =
      database === undefined
        ? await importDirectory(dataDir, lines, signal)
        : await importInto(database, lines, signal)
    this.print({ records: count }, each => `Imported ${each.records} records.`)
  }
}

/** The modules of PostgreSQL take long to load. */
async function importInto(
  database: DatabaseSettings,
  lines: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  const { importIntoDatabase } = await import('../../src/server/data-database.js')
  return await importIntoDatabase(database, lines, signal)
}
