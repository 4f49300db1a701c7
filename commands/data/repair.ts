import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { repairDirectory } from '../../src/server/data-directory.js'

export default class DataRepair extends AdminCommand {
  static override summary = 'Save the intact records of a damaged data directory.'
  static override description =
    'Stop the relay first. Writes the intact lines to new files and moves the old files to a ' +
    'subdirectory. Only the records in damaged lines are lost.'
  static override examples = [
    {
      description: 'Repair a data directory.',
      command: '<%= config.bin %> data repair --data /var/lib/smsrelay',
    },
  ]

  async run(): Promise<void> {
    const { flags } = await this.parse(DataRepair)
    const movedTo = await repairDirectory(this.getDataDir(flags))
    this.print(
      { moved_to: movedTo },
      each => `Saved the intact records. The old files are in ${each.moved_to}.`,
    )
  }
}
