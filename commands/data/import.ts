import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { measureInput, readLines } from '../../src/cli/terminal/stdin.js'
import type { DatabaseSettings } from '../../src/server/config/relay-config.js'
import { importDirectory } from '../../src/server/data-directory.js'
import type { OnProgress } from '../../src/util/async/progress.js'

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
    const { signal, io } = this
    const { dataDir = '', database } = await this.getLocation(flags)
    const size = measureInput(io.stdin)
    const count = await this.withProgress('bytes', async onRead => {
      const lines = readLines(io.stdin, signal, bytes => onRead(bytes, size))
      return await this.withProgress('records', onProgress => {
        const options = { signal, onProgress }
        if (database === undefined) return importDirectory(dataDir, lines, options)
        return importInto(database, lines, options)
      })
    })
    this.print({ records: count }, each => `Imported ${each.records} records.`)
  }
}

/** The modules of PostgreSQL take long to load. */
async function importInto(
  database: DatabaseSettings,
  lines: AsyncIterable<Uint8Array>,
  options: { readonly signal: AbortSignal; readonly onProgress: OnProgress },
): Promise<number> {
  const { importIntoDatabase } = await import('../../src/server/data-database.js')
  return await importIntoDatabase(database, lines, options)
}
