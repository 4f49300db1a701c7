import { RelayError } from '../../errors.js'
import { BaseCommand } from '../command/base-command.js'
import {
  databaseFlag,
  type Location,
  type LocationFlags,
  readLocation,
} from '../config/location-flags.js'

export abstract class DatabaseCommand extends BaseCommand {
  static override baseFlags = { ...BaseCommand.baseFlags, database: databaseFlag }

  protected async requireDatabase(
    flags: Pick<LocationFlags, 'database'>,
  ): Promise<NonNullable<Location['database']>> {
    const { database } = await readLocation(flags, this.io)
    if (database !== undefined) return database
    throw new RelayError('usage', 'The database is missing.', {
      hint: 'Name it with --database, SMSRELAY_DATABASE_URL or SMSRELAY_DATABASE_URL_FILE.',
    })
  }
}
