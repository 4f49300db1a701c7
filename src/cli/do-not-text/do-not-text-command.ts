import { boolean } from '@oclif/core/flags'
import type { DoNotTextImportOptions } from '../../client/received-text-client.js'
import type { CallOptions, DoNotTextOptions } from '../../client/relay-client.js'
import type {
  DoNotTextFields,
  DoNotTextImportReply,
  ImportedEntry,
} from '../../contract/do-not-text-schema.js'
import { RelayError } from '../../errors.js'
import { dataFlag } from '../admin/admin-command.js'
import {
  type Closable,
  type OpenAdministration,
  withAdministration,
} from '../admin/open-administration.js'
import { ApiCommand } from '../command/api-command.js'
import type { ConnectionFlags } from '../profile/connection.js'

/** A Do Not Text list, wherever it is. */
export interface DoNotTextList {
  listBlocked(options: CallOptions): Promise<DoNotTextFields[]>
  addBlocked(number: string, options: DoNotTextOptions): Promise<DoNotTextFields>
  importBlocked(
    entries: readonly ImportedEntry[],
    options: DoNotTextImportOptions,
  ): Promise<DoNotTextImportReply>
  removeBlocked(number: string, options: CallOptions): Promise<DoNotTextFields>
}

interface DoNotTextFlags extends ConnectionFlags {
  readonly service: boolean
  readonly data?: string | undefined
}

/** A command on a Do Not Text list: the account's through the relay, the service's on its data directory. */
export abstract class DoNotTextCommand extends ApiCommand {
  static override baseFlags = {
    ...ApiCommand.baseFlags,
    service: boolean({ description: 'The list of the whole service; needs its data directory.' }),
    data: dataFlag,
  }

  /** Does something with the list these flags name. */
  protected async withList<T>(
    flags: DoNotTextFlags,
    open: OpenAdministration<DoNotTextList & Closable>,
    use: (list: DoNotTextList) => Promise<T>,
  ): Promise<T> {
    if (flags.service) return await withAdministration(open, flags.data, this.io.env, use)
    if (flags.data !== undefined && !this.isFromEnvironment(flags.data)) {
      throw new RelayError('usage', '--data goes with --service.')
    }
    return await use(await this.createClient(flags))
  }

  private isFromEnvironment(data: string): boolean {
    return data === this.io.env.SMSRELAY_DATA_DIR
  }
}
