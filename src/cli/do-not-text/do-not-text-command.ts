// The commands `do-not-text`: they list, add, remove, import and export numbers.
//
// - `do-not-text-command` opens the list: the account's list through the relay, or with --service
//   the list of the whole relay in its data directory.
// - `do-not-text-file` reads a CSV file row by row.
// - `do-not-text-import` checks all rows of a file, then imports them in batches.
import { boolean } from '@oclif/core/flags'
import type { DoNotTextClient } from '../../client/do-not-text-client.js'
import { RelayError } from '../../errors.js'
import { dataFlag } from '../admin/admin-command.js'
import {
  type Closable,
  type OpenAdministration,
  withAdministration,
} from '../admin/open-administration.js'
import { ApiCommand } from '../command/api-command.js'
import type { ConnectionFlags } from '../profile/connection.js'

/** The Do Not Text list of an account or of the whole relay. */
export type DoNotTextList = Pick<DoNotTextClient, 'list' | 'add' | 'import' | 'remove'>

/** The part of the administration that manages the list of the whole relay. */
interface DoNotTextAdministration extends Closable {
  listDoNotText: DoNotTextList['list']
  addDoNotText: DoNotTextList['add']
  importDoNotText: DoNotTextList['import']
  removeDoNotText: DoNotTextList['remove']
}

/** Imports the server. Commands pass it, because only they may import it. */
export type LoadServer = () => Promise<{
  readonly openAdministration: OpenAdministration<DoNotTextAdministration>
}>

interface DoNotTextFlags extends ConnectionFlags {
  readonly service: boolean
  readonly data?: string | undefined
}

/** A command on the list of the account, or with --service on the list of the whole relay. */
export abstract class DoNotTextCommand extends ApiCommand {
  static override baseFlags = {
    ...ApiCommand.baseFlags,
    service: boolean({ description: 'Use the list of the whole relay, in its data directory.' }),
    data: dataFlag,
  }

  /** Opens the list that the flags name, and calls `use`. */
  protected async withList<T>(
    flags: DoNotTextFlags,
    loadServer: LoadServer,
    use: (list: DoNotTextList) => Promise<T>,
  ): Promise<T> {
    const { env } = this.io
    if (flags.service) {
      const { openAdministration } = await loadServer()
      return await withAdministration(
        openAdministration,
        flags.data,
        env,
        async administration => await use(toDoNotTextList(administration)),
      )
    }
    if (flags.data !== undefined && flags.data !== env.SMSRELAY_DATA_DIR) {
      throw new RelayError('usage', '--data is only for --service.', { hint: 'Add --service.' })
    }
    return await use((await this.createClient(flags)).doNotText)
  }
}

function toDoNotTextList(administration: DoNotTextAdministration): DoNotTextList {
  return {
    list: async options => await administration.listDoNotText(options),
    add: async (number, options) => await administration.addDoNotText(number, options),
    import: async (entries, options) => await administration.importDoNotText(entries, options),
    remove: async (number, options) => await administration.removeDoNotText(number, options),
  }
}
