// The commands `do-not-text`: they list, add, remove, import and export numbers.
//
// - `do-not-text-command` opens the list: the account's list through the relay, or with --service
//   the list of the whole relay in its data directory or database.
// - `do-not-text-file` reads a CSV file row by row.
// - `do-not-text-import` checks all rows of a file, then imports them in batches.
import { boolean } from '@oclif/core/flags'
import type { DoNotTextClient } from '../../client/do-not-text-client.js'
import { RelayError } from '../../errors.js'
import {
  type Closable,
  type OpenAdministration,
  withAdministration,
} from '../admin/admin-command.js'
import { ApiCommand } from '../command/api-command.js'
import { databaseFlag, dataFlag } from '../config/location-flags.js'
import type { ConnectionFlags } from '../profile/connection.js'

export type DoNotTextList = Pick<DoNotTextClient, 'list' | 'add' | 'import' | 'remove'>

interface DoNotTextAdministration extends Closable {
  listDoNotText: DoNotTextList['list']
  addDoNotText: DoNotTextList['add']
  importDoNotText: DoNotTextList['import']
  removeDoNotText: DoNotTextList['remove']
}

/**
 * Imports the server for the commands of the Do Not Text list. Commands pass this function, because
 * only they may import it.
 */
export type LoadServer = () => Promise<{
  readonly openAdministration: OpenAdministration<DoNotTextAdministration>
}>

interface DoNotTextFlags extends ConnectionFlags {
  readonly service: boolean
  readonly data?: string | undefined
  readonly database?: string | undefined
}

export abstract class DoNotTextCommand extends ApiCommand {
  static override baseFlags = {
    ...ApiCommand.baseFlags,
    service: boolean({
      description: 'Use the list of the whole relay, in its data directory or database.',
      env: 'SMSRELAY_SERVICE',
    }),
    data: dataFlag,
    database: databaseFlag,
  }

  protected async withList<T>(
    flags: DoNotTextFlags,
    loadServer: LoadServer,
    use: (list: DoNotTextList) => Promise<T>,
  ): Promise<T> {
    const { env } = this.io
    if (flags.service) {
      const { openAdministration } = await loadServer()
      return await withAdministration(openAdministration, flags, this.io, administration =>
        use(toDoNotTextList(administration)),
      )
    }
    assertUnused('--data', flags.data, env.SMSRELAY_DATA_DIR)
    assertUnused('--database', flags.database, env.SMSRELAY_DATABASE_URL)
    return await use((await this.createClient(flags)).doNotText)
  }
}

function assertUnused(flag: string, value: string | undefined, fromEnv: string | undefined): void {
  if (value === undefined || value === fromEnv) return
  throw new RelayError('usage', `${flag} is only for --service.`, { hint: 'Add --service.' })
}

function toDoNotTextList(administration: DoNotTextAdministration): DoNotTextList {
  return {
    list: async options => await administration.listDoNotText(options),
    add: async (number, options) => await administration.addDoNotText(number, options),
    import: async (entries, options) => await administration.importDoNotText(entries, options),
    remove: async (number, options) => await administration.removeDoNotText(number, options),
  }
}
