import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { exportDirectory } from '../../src/server/data-directory.js'

export default class DataExport extends AdminCommand {
  static override summary = 'Print all records of a data directory, one JSON value a line.'
  static override description =
    'Also works while the relay runs. The output contains texts, numbers and keys: protect it.'
  static override examples = [
    {
      description: 'Export the data directory.',
      command: '<%= config.bin %> data export > relay.ndjson',
    },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(DataExport)
    for await (const record of exportDirectory(await this.requireDataDir(flags))) {
      await this.writeChunk(`${JSON.stringify(record)}\n`)
    }
  }
}
