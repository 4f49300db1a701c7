import { string } from '@oclif/core/flags'
import { BaseCommand } from '../command/base-command.js'
import { administer, type Closable, type Opener } from './open-administration.js'

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
  protected async administer<A extends Closable, T>(
    open: Opener<A>,
    data: string | undefined,
    use: (administration: A) => Promise<T>,
  ): Promise<T> {
    return await administer(open, data, this.io.env, use)
  }
}
