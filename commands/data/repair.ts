import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { getDefaultDataDir } from '../../src/cli/profile/directories.js'
import { repairDirectory } from '../../src/server/data-directory.js'

export default class DataRepair extends AdminCommand {
  static override summary = 'Save what is whole in a damaged data directory.'
  static override description =
    `Writes everything in whole lines anew and moves the old files aside; what stood in damaged
lines is lost, and only there. The service must not run.`
  static override examples = ['<%= config.bin %> data repair --data /var/lib/smsrelay']

  async run(): Promise<void> {
    const { flags } = await this.parse(DataRepair)
    const aside = await repairDirectory(flags.data ?? getDefaultDataDir(this.io.env))
    this.print(
      { moved_to: aside },
      each => `Saved what is whole. The old files are in ${each.moved_to}.`,
    )
  }
}
