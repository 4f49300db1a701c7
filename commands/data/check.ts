import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { formatDataReport } from '../../src/cli/admin/data-report-view.js'
import { getDefaultDataDir } from '../../src/cli/profile/directories.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { checkDirectory } from '../../src/server/data-directory.js'

export default class DataCheck extends AdminCommand {
  static override summary = 'Check a data directory, whether the service runs or not.'
  static override description =
    'Reads every file, checks every line and changes nothing. Ends with 1 when something is damaged.'
  static override examples = ['<%= config.bin %> data check --data /var/lib/smsrelay']

  async run(): Promise<void> {
    const { flags } = await this.parse(DataCheck)
    const report = await checkDirectory(flags.data ?? getDefaultDataDir(this.io.env))
    this.print(report, formatDataReport)
    if (report.damages.some(each => each.kind === 'damaged')) this.setExitCode(exitCodes.failed)
  }
}
