import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { getDefaultDataDir } from '../../src/cli/profile/directories.js'
import { readJsonLines } from '../../src/cli/terminal/json-lines.js'
import { importDirectory } from '../../src/server/data-directory.js'

export default class DataImport extends AdminCommand {
  static override summary = 'Make a new data directory of what `data export` printed.'
  static override examples = ['<%= config.bin %> data import --data ./new < relay.ndjson']

  async run(): Promise<void> {
    const { flags } = await this.parse(DataImport)
    const records = readJsonLines(this.io.stdin)
    const count = await importDirectory(flags.data ?? getDefaultDataDir(this.io.env), records)
    this.print({ records: count }, each => `Imported ${each.records} records.`)
  }
}
