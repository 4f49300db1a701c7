import { boolean } from '@oclif/core/flags'
import type { ImportOptions } from '../../client/received-text-client.js'
import type { BlockOptions, CallOptions } from '../../client/relay-client.js'
import type {
  BlocklistFields,
  BlocklistImportReply,
  ImportedEntry,
} from '../../contract/do-not-text-schema.js'
import { RelayError } from '../../errors.js'
import { dataFlag } from '../admin/admin-command.js'
import { administer, type Closable, type Opener } from '../admin/open-administration.js'
import { ApiCommand } from '../command/api-command.js'
import type { ConnectionFlags } from '../profile/connection.js'

/** A Do Not Text list, wherever it is. */
export interface Blocklist {
  listBlocked(options: CallOptions): Promise<BlocklistFields[]>
  addBlocked(number: string, options: BlockOptions): Promise<BlocklistFields>
  importBlocked(
    entries: readonly ImportedEntry[],
    options: ImportOptions,
  ): Promise<BlocklistImportReply>
  removeBlocked(number: string, options: CallOptions): Promise<BlocklistFields>
}

interface BlocklistFlags extends ConnectionFlags {
  readonly service: boolean
  readonly data?: string | undefined
}

/** A command on a Do Not Text list: the account's through the relay, the service's on its data directory. */
export abstract class BlocklistCommand extends ApiCommand {
  static override baseFlags = {
    ...ApiCommand.baseFlags,
    service: boolean({ description: 'The list of the whole service; needs its data directory.' }),
    data: dataFlag,
  }

  /** Does something with the list these flags name. */
  protected async onList<T>(
    flags: BlocklistFlags,
    open: Opener<Blocklist & Closable>,
    use: (list: Blocklist) => Promise<T>,
  ): Promise<T> {
    if (flags.service) return await administer(open, flags.data, this.io.env, use)
    if (flags.data !== undefined && !this.fromEnvironment(flags.data)) {
      throw new RelayError('usage', '--data goes with --service.')
    }
    return await use(await this.client(flags))
  }

  private fromEnvironment(data: string): boolean {
    return data === this.io.env.SMSRELAY_DATA_DIR
  }
}
