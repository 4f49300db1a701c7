// Commands on a data directory: `account`, `data`, and the flags and texts of `serve`.
//
// - `admin-command` is their base class, with the flag --data.
// - `open-administration` opens a data directory and closes it after use. If a relay runs on the
//   directory, the server code that the command passes sends the work to that relay.
// - `account-flags` and `smtp-flags` define flags; `account-views`, `data-report-view` and
//   `serve-view` format results for people.
import { string } from '@oclif/core/flags'
import { BaseCommand } from '../command/base-command.js'
import { getDefaultDataDir } from '../profile/directories.js'
import {
  type Closable,
  type OpenAdministration,
  withAdministration,
} from './open-administration.js'

export const dataFlag = string({
  description: 'Data directory of the relay.',
  defaultHelp: async () => 'that of `smsrelay serve`',
  env: 'SMSRELAY_DATA_DIR',
  helpValue: 'DIR',
})

/** A command on a data directory, for users who can read its files. */
export abstract class AdminCommand extends BaseCommand {
  static override baseFlags = { ...BaseCommand.baseFlags, data: dataFlag }

  protected getDataDir(flags: { readonly data?: string | undefined }): string {
    return flags.data ?? getDefaultDataDir(this.io.env)
  }

  /** Opens the data directory, calls `use` and closes it. */
  protected async withAdministration<A extends Closable, T>(
    open: OpenAdministration<A>,
    data: string | undefined,
    use: (administration: A) => Promise<T>,
  ): Promise<T> {
    return await withAdministration(open, data, this.io.env, use)
  }
}
