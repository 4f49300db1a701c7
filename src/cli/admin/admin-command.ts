// Commands on a data directory: `account`, `data`, and flags of `serve`.
//
// - `admin-command` is their base class, with the flag --data. `withAdministration` opens a data
//   directory and closes it after use. If a relay runs on the directory, the server code that the
//   command passes sends the work to that relay.
// - `account-flags` and `smtp-flags` define flags; `account-views` formats results for people.
import { string } from '@oclif/core/flags'
import { BaseCommand } from '../command/base-command.js'
import { getDefaultDataDir } from '../profile/directories.js'

export interface Closable {
  close(): Promise<void>
}

/**
 * Opens a data directory for an administration command with the server code, which only commands
 * may import.
 */
export type OpenAdministration<A extends Closable> = (dataDir: string) => Promise<A>

export const dataFlag = string({
  description: 'Data directory of the relay.',
  defaultHelp: async () => 'that of `smsrelay serve`',
  env: 'SMSRELAY_DATA_DIR',
  helpValue: 'DIR',
})

export abstract class AdminCommand extends BaseCommand {
  static override baseFlags = { ...BaseCommand.baseFlags, data: dataFlag }

  protected getDataDir(flags: { readonly data?: string | undefined }): string {
    return flags.data ?? getDefaultDataDir(this.io.env)
  }

  protected async withAdministration<A extends Closable, T>(
    open: OpenAdministration<A>,
    data: string | undefined,
    use: (administration: A) => Promise<T>,
  ): Promise<T> {
    return await withAdministration(open, data, this.io.env, use)
  }
}

export async function withAdministration<A extends Closable, T>(
  open: OpenAdministration<A>,
  data: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  use: (administration: A) => Promise<T>,
): Promise<T> {
  const administration = await open(data ?? getDefaultDataDir(env))
  try {
    return await use(administration)
  } finally {
    await administration.close()
  }
}
