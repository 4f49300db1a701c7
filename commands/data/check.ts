import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { formatDataReport } from '../../src/cli/admin/data-report-view.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { checkDirectory } from '../../src/server/data-directory.js'

export default class DataCheck extends AdminCommand {
  static override summary = 'Check a data directory, also while the relay runs.'
  static override description =
    'Reads every line of every file and changes nothing. Exits with 1 if there is damage.'
  static override examples = [
    {
      description: 'Check a data directory.',
      command: '<%= config.bin %> data check --data /var/lib/smsrelay',
    },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(DataCheck)
    const report = await checkDirectory(this.getDataDir(flags))
    this.print(report, formatDataReport)
    if (report.damages.some(each => each.kind === 'damaged')) this.setExitCode(exitCodes.failed)
  }
}
