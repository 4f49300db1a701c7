import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { getDefaultDataDir } from '../../src/cli/profile/directories.js'
import { backupDirectory } from '../../src/server/data-directory.js'

export default class DataBackup extends AdminCommand {
  static override summary = 'Copy a data directory, whether the service runs or not.'
  static override description =
    'The copy is a data directory itself: start a service on it, or put it in the place of a damaged one. ' +
    'The log of attempts to deliver is left out.'
  static override examples = ['<%= config.bin %> data backup /mnt/backup/2026-11-21']
  static override args = {
    target: defineRequiredArgument('A new or empty directory for the copy.'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DataBackup)
    const target = await this.requireValue(args.target, { name: 'TARGET', message: 'Directory' })
    const copy = await backupDirectory(flags.data ?? getDefaultDataDir(this.io.env), target)
    this.print({ copy }, each => `Copied to ${each.copy}.`)
  }
}
