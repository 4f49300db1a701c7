import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { backupDirectory } from '../../src/server/data-directory.js'

export default class DataBackup extends AdminCommand {
  static override summary = 'Copy a data directory, also while the relay runs.'
  static override description =
    'The copy is a data directory: start a relay on it, or replace a damaged directory with it. ' +
    'It does not include the log of deliveries.'
  static override examples = [
    {
      description: 'Copy the data directory.',
      command: '<%= config.bin %> data backup /mnt/backup/2026-11-21',
    },
  ]
  static override args = {
    target: defineRequiredArgument('New or empty directory for the copy.'),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DataBackup)
    const target = await this.requireValue(args.target, { name: 'TARGET', message: 'Directory' })
    const copy = await backupDirectory(await this.requireDataDir(flags), target)
    this.print({ copy }, each => `Copied to ${each.copy}.`)
  }
}
