import { resolve } from 'node:path'
import { AdminCommand } from '../../src/cli/admin/admin-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import type { DatabaseSettings } from '../../src/server/config/relay-config.js'
import { backupDirectory } from '../../src/server/data-directory.js'
import type { OnProgress } from '../../src/util/async/progress.js'

export default class DataBackup extends AdminCommand {
  static override summary =
    'Copy a data directory or the records of a database, also while the relay runs.'
  static override description =
    'The copy is a data directory: start a relay on it, or replace a damaged directory with it. ' +
    'It does not include the log of deliveries. The copy of a database is one file, the ' +
    'output of `data export`.'
  static override examples = [
    {
      description: 'Copy the data directory.',
      command: '<%= config.bin %> data backup /mnt/backup/2027-01-04_09-00',
    },
  ]
  static override args = {
    target: defineRequiredArgument(
      'New or empty directory for the copy; of a database, a new file.',
    ),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DataBackup)
    const target = await this.requireValue(args.target, { name: 'TARGET', message: 'Target' })
    // Before root becomes the owner of the data, which can change the working directory.
    const path = resolve(target)
    const { dataDir = '', database } = await this.getLocation(flags)
    const copy =
      database === undefined
        ? await this.withProgress('bytes', onProgress => backupDirectory(dataDir, path, onProgress))
        : await this.withProgress('records', onProgress => backUp(database, path, onProgress))
    this.print({ copy }, each => `Copied to ${each.copy}.`)
  }
}

/** The modules of PostgreSQL take long to load. */
async function backUp(
  database: DatabaseSettings,
  target: string,
  onProgress: OnProgress,
): Promise<string> {
  const { backupDatabase } = await import('../../src/server/data-database.js')
  return await backupDatabase(database, target, onProgress)
}
