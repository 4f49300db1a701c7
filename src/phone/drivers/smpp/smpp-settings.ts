import { RelayError } from '../../../errors.js'
import {
  type DriverOptions,
  type Env,
  parseNumberOption,
  parseYesNoOption,
  requireOption,
} from '../../driver-port/driver-options.js'
import type { LongTextMode } from './submit-sm.js'

/**
 * SMPP address: a number or name with its type and numbering plan (SMPP 3.4 sections 5.2.5 and
 * 5.2.6).
 */
interface SmppAddress {
  readonly address: string
  readonly ton: number
  readonly npi: number
}

export interface SmppSettings {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly insecure: boolean
  readonly systemId: string
  readonly password: string
  readonly systemType: string
  readonly source: SmppAddress
  /** Maximum of unanswered submit_sm. */
  readonly window: number
  /** Milliseconds between two enquire_link. */
  readonly enquire: number
  /** Milliseconds to wait for the SMSC's response. */
  readonly timeout: number
  readonly long: LongTextMode
  readonly reports: boolean
}

const passwordName = 'SMSRELAY_SMPP_PASSWORD'

/**
 * Parses the smpp driver's options; the password comes from `env` if it is not an option. Throws
 * `usage`.
 */
export function parseSmppSettings(options: DriverOptions, env: Env): SmppSettings {
  const tls = parseYesNoOption(options, 'tls')
  const seconds = { min: 1, max: 3600, unit: 'seconds' }
  return {
    host: requireOption(options, 'host', '--option host=smpp.example.com'),
    port: parseWholeOption(options, 'port', 1, 65_535) ?? (tls ? 3550 : 2775),
    tls,
    insecure: parseYesNoOption(options, 'insecure'),
    systemId: requireOption(options, 'system-id', '--option system-id=my-account'),
    password: readPassword(options, env),
    systemType: options['system-type'] ?? '',
    source: parseSource(options),
    window: parseWholeOption(options, 'window', 1, 1000) ?? 10,
    enquire: (parseNumberOption(options, 'enquire', seconds) ?? 30) * 1000,
    timeout: (parseNumberOption(options, 'timeout', seconds) ?? 30) * 1000,
    long: parseChoiceOption(options, 'long', ['udh', 'payload', 'sar']),
    reports: parseYesNoOption(options, 'reports'),
  }
}

/** SMPP address of a recipient: digits with `+` in front are an international number. */
export function toDestinationAddress(destination: string): SmppAddress {
  const international = destination.startsWith('+')
  return { address: destination.replace(/^\+/, ''), ton: international ? 1 : 0, npi: 1 }
}

function readPassword(options: DriverOptions, env: Env): string {
  const password = options.password ?? env[passwordName]
  if (password !== undefined) return password
  throw new RelayError(
    'usage',
    `The smpp driver needs the password of the account; set ${passwordName} in the environment.`,
  )
}

/**
 * SMPP address of the sender: `+` and digits are international (TON 1), other digits unknown (0),
 * all else a name (5).
 */
function parseSource(options: DriverOptions): SmppAddress {
  const typed = options.source?.trim() ?? ''
  const guess = /^\+\d+$/.test(typed) ? [1, 1] : /^\d+$/.test(typed) ? [0, 1] : [5, 0]
  const [ton = 0, npi = 0] = typed === '' ? [0, 0] : guess
  return {
    address: typed.replace(/^\+/, ''),
    ton: parseWholeOption(options, 'source-ton', 0, 255) ?? ton,
    npi: parseWholeOption(options, 'source-npi', 0, 255) ?? npi,
  }
}

function parseWholeOption(options: DriverOptions, name: string, min: number, max: number) {
  return parseNumberOption(options, name, { min, max, whole: true })
}

function parseChoiceOption<T extends string>(
  options: DriverOptions,
  name: string,
  known: readonly [T, ...T[]],
): T {
  const typed = options[name]?.trim().toLowerCase() ?? known[0]
  const found = known.find(each => each === typed)
  if (found !== undefined) return found
  throw new RelayError('usage', `${name} must be one of ${known.join(', ')}; not "${typed}".`)
}
