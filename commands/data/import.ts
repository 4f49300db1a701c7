import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { readJsonLines } from '../../src/cli/terminal/stdin.js'
import { importDirectory } from '../../src/server/data-directory.js'

export default class DataImport extends AdminCommand {
  static override summary = 'Create a data directory from the output of `data export`.'
  static override examples = [
    {
      description: 'Import into a new directory.',
      command: '<%= config.bin %> data import --data ./new < relay.ndjson',
    },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(DataImport)
    const records = readJsonLines(this.io.stdin)
    const count = await importDirectory(this.getDataDir(flags), records)
    this.print({ records: count }, each => `Imported ${each.records} records.`)
  }
}
