import { once } from 'node:events'
import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { getDefaultDataDir } from '../../src/cli/profile/directories.js'
import { exportData } from '../../src/server/data-directory.js'

export default class DataExport extends AdminCommand {
  static override summary = 'Print everything in a data directory, a line of JSON a record.'
  static override description =
    'Works while the service runs. The output holds texts, numbers and keys: keep it safe.'
  static override examples = ['<%= config.bin %> data export > relay.ndjson']

  async run(): Promise<void> {
    const { flags } = await this.parse(DataExport)
    const { stdout } = this.io
    for await (const record of exportData(flags.data ?? getDefaultDataDir(this.io.env))) {
      this.signal.throwIfAborted()
      const goOn = stdout.write(`${JSON.stringify(record)}\n`)
      if (!goOn) await once(stdout, 'drain', { signal: this.signal })
    }
  }
}
