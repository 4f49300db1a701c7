import { isCountry } from '../../domain/sms/phone-number.js'
import type { ConnectionFlags } from '../profile/connection.js'
import {
  invalidValueError,
  parseEncoding,
  parseInteger,
  parseRateFlag,
  parseUtcTime,
} from '../terminal/parse-values.js'
import type { BulkFlags } from './bulk-flags.js'
import type { BulkRequest } from './bulk-send.js'

/** Parses the flags of a bulk command. Throws `usage`. */
export function parseBulkRequest(flags: BulkFlags & ConnectionFlags): BulkRequest {
  return {
    file: flags.csv ?? '-',
    readOptions: {
      text: flags.text,
      country: flags.country === undefined ? undefined : parseCountry(flags.country),
      sendOn: flags.at === undefined ? undefined : parseUtcTime('--at', flags.at),
      allowDuplicates: flags['allow-duplicates'],
      encoding: flags.encoding === undefined ? undefined : parseEncoding(flags.encoding),
    },
    dryRun: flags['dry-run'],
    skipInvalid: flags['skip-invalid'],
    job: flags.job,
    again: flags.again,
    newRows: flags['new-rows'],
    resendUnknown: flags['resend-unknown'],
    rate: flags.rate === undefined ? undefined : parseRateFlag('--rate', flags.rate),
    concurrency: parseInteger('--concurrency', flags.concurrency ?? '8', 1, 64),
  }
}

function parseCountry(text: string): string {
  const code = text.toUpperCase()
  if (isCountry(code)) return code
  const hint = 'Write an ISO 3166 code of two letters, such as DE.'
  throw invalidValueError('--country', text, 'is not a country', hint)
}
