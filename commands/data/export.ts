import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import type { DatabaseSettings } from '../../src/server/config/relay-config.js'
import { type ExportedRecord, exportDirectory } from '../../src/server/data-directory.js'
import type { OnProgress } from '../../src/util/async/progress.js'

export default class DataExport extends AdminCommand {
  static override summary = 'Print all records of a relay, one JSON value a line.'
  static override description =
    'Also works while the relay runs. The output contains texts, numbers and keys: protect it.'
  static override examples = [
    {
      description: 'Export the data directory.',
      command: '<%= config.bin %> data export > relay.ndjson',
    },
    {
      description: 'Move a relay from its data directory to an empty database.',
      command:
        '<%= config.bin %> data export | ' +
        '<%= config.bin %> data import --database postgres://user@host/relay',
    },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(DataExport)
    const { dataDir = '', database } = await this.getLocation(flags)
    const write = async (onProgress?: OnProgress) => {
      const records =
        database === undefined
          ? exportDirectory(dataDir, onProgress)
          : await exportFrom(database, onProgress)
      for await (const record of records) await this.writeChunk(`${JSON.stringify(record)}\n`)
    }
    // On a terminal the records themselves show the progress.
    if (this.io.stdout.isTTY === true) await write()
    else await this.withProgress('records', write)
  }
}

/** The modules of PostgreSQL take long to load. */
async function exportFrom(
  database: DatabaseSettings,
  onProgress: OnProgress | undefined,
): Promise<AsyncIterable<ExportedRecord>> {
  const { exportDatabaseRecords } = await import('../../src/server/data-database.js')
  return exportDatabaseRecords(database, onProgress)
}
