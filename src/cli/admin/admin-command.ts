import { string } from '@oclif/core/flags'
import { BaseCommand } from '../command/base-command.js'
import {
  type Closable,
  type OpenAdministration,
  withAdministration,
} from './open-administration.js'

/** The flag that names a data directory. */
export const dataFlag = string({
  description: 'Data directory of the service. [default: that of `smsrelay serve`]',
  env: 'SMSRELAY_DATA_DIR',
  helpValue: 'DIR',
})

/** A command on a data directory, for someone who may read it. */
export abstract class AdminCommand extends BaseCommand {
  static override baseFlags = { ...BaseCommand.baseFlags, data: dataFlag }

  /** Opens a data directory, uses it and lets go of it. */
  protected async withAdministration<A extends Closable, T>(
    open: OpenAdministration<A>,
    data: string | undefined,
    use: (administration: A) => Promise<T>,
  ): Promise<T> {
    return await withAdministration(open, data, this.io.env, use)
  }
}
