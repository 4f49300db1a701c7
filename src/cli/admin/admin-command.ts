// Commands on the relay's records: `account`, `data`, `database`.
//
// - `admin-command` is their base class, with the flags --data and --database of `location-flags`.
//   `withAdministration` opens the data directory or database and closes it after use. If a relay
//   runs on the directory, the server code that the command passes sends the work to that relay.
// - `data-views` formats results for people.
import { RelayError } from '../../errors.js'
import type { OnProgress } from '../../util/async/progress.js'
import { BaseCommand } from '../command/base-command.js'
import {
  databaseFlag,
  dataFlag,
  type Location,
  type LocationFlags,
  readLocation,
} from '../config/location-flags.js'
import { ProgressLine, type ProgressUnit } from '../output/progress-line.js'
import type { Io } from '../terminal/io.js'

export interface Closable {
  close(): Promise<void>
}

/**
 * Opens the relay's records for an administration command with the server code, which only commands
 * may import.
 */
export type OpenAdministration<A extends Closable> = (location: Location) => Promise<A>

export abstract class AdminCommand extends BaseCommand {
  static override baseFlags = { ...BaseCommand.baseFlags, data: dataFlag, database: databaseFlag }

  protected async getLocation(flags: LocationFlags): Promise<Location> {
    return await readLocation(flags, this.io)
  }

  protected async requireDataDir(flags: LocationFlags): Promise<string> {
    const { dataDir } = await readLocation(flags, this.io)
    if (dataDir !== undefined) return dataDir
    throw new RelayError('usage', 'This command works on a data directory, not on a database.', {
      hint: 'Name a data directory with --data.',
    })
  }

  protected async withProgress<T>(
    unit: ProgressUnit,
    work: (onProgress: OnProgress) => Promise<T>,
  ): Promise<T> {
    const { stderr, clock } = this.io
    const line = new ProgressLine(stderr, clock.monotonic, unit)
    try {
      return await work((finished, total) => {
        if (!this.json) line.draw({ finished, total })
      })
    } finally {
      line.clear()
    }
  }

  protected async withAdministration<A extends Closable, T>(
    open: OpenAdministration<A>,
    flags: LocationFlags,
    use: (administration: A) => Promise<T>,
  ): Promise<T> {
    return await withAdministration(open, flags, this.io, use)
  }
}

export async function withAdministration<A extends Closable, T>(
  open: OpenAdministration<A>,
  flags: LocationFlags,
  io: Pick<Io, 'env' | 'stderr'>,
  use: (administration: A) => Promise<T>,
): Promise<T> {
  const administration = await open(await readLocation(flags, io))
  try {
    return await use(administration)
  } finally {
    await administration.close()
  }
}
