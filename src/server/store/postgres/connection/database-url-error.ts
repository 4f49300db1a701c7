import { RelayError } from '../../../../errors.js'

const example = 'postgres://user@host:5432/database'

/** The error of a URL that does not name a database; it contains no part that can be a password. */
export function databaseUrlError(
  message: string,
  hint = `Use a URL such as ${example}.`,
): RelayError {
  return new RelayError('usage', message, { hint })
}
