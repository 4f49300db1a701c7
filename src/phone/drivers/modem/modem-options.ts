import type { NationalLanguage } from '../../../domain/sms/national-tables.js'
import { RelayError } from '../../../errors.js'
import {
  type DriverContext,
  type DriverOptions,
  parseNationalOption,
  parseNumberOption,
  parseYesNoOption,
  requireOption,
} from '../../driver-port/driver-options.js'
import { createLineOpener, type OpenSerialLine } from './serial-line.js'

export const modemOptions = [
  ...['device', 'baud', 'pin', 'smsc', 'timeout', 'reports'],
  ...['init', 'reset', 'long', 'national'],
] as const

export interface ModemSettings {
  readonly device: string
  readonly open: OpenSerialLine
  /** Milliseconds for the network to accept a part. */
  readonly timeout: number
  readonly reports: boolean
  readonly national: readonly NationalLanguage[]
  /** AT commands that the modem gets first. */
  readonly init: readonly string[]
  /** AT command that restarts a silent modem; absent if it is not to be restarted. */
  readonly reset?: string
  /** Whether the parts of a long text have a reference of 16 bits, and not of 8. */
  readonly hasLongReference: boolean
  readonly pin?: string
  readonly smsc?: string
}

export function parseModemOptions(
  options: DriverOptions,
  { SMSRELAY_SIM_PIN: pin }: DriverContext['env'],
): ModemSettings {
  const device = requireOption(options, 'device', '--option device=/dev/ttyUSB0')
  const bauds = { min: 300, max: 4_000_000, whole: true }
  const seconds = { min: 1, max: 600, unit: 'seconds' }
  const withPin = pin === undefined ? options : { pin, ...options }
  const reset = options.reset?.trim() ?? 'AT+CFUN=1,1'
  return {
    device,
    open: createLineOpener(device, parseNumberOption(options, 'baud', bauds) ?? 115_200),
    timeout: (parseNumberOption(options, 'timeout', seconds) ?? 60) * 1000,
    reports: parseYesNoOption(options, 'reports'),
    national: parseNationalOption(options),
    init: (options.init ?? '').split('|').flatMap(each => parseCommand('init', each)),
    hasLongReference: parseLongOption(options) === 'udh16',
    ...(reset === 'none' ? {} : parseReset(reset)),
    ...parseDigitsOption(withPin, 'pin', /^\d{4,8}$/, '4 to 8 digits'),
    ...parseDigitsOption(options, 'smsc', /^\+?\d{3,15}$/, 'a number such as +12025550100'),
  }
}

function parseReset(typed: string): { reset?: string } {
  const [reset] = parseCommand('reset', typed)
  return reset === undefined ? {} : { reset }
}

/** An AT command; none if it is empty. Throws `usage`. */
function parseCommand(option: string, typed: string): string[] {
  const command = typed.trim()
  if (command === '') return []
  if (/^AT[\x20-\x7e]*$/i.test(command)) return [command]
  throw new RelayError('usage', `${option} must be an AT command; not "${command}".`, {
    hint: 'Such as AT+CFUN=1. Separate several commands of init with |.',
  })
}

function parseLongOption({ long = 'udh' }: DriverOptions): string {
  if (long === 'udh' || long === 'udh16') return long
  throw new RelayError('usage', `long must be udh or udh16; not "${long}".`)
}

function parseDigitsOption<K extends string>(
  options: DriverOptions,
  name: K,
  pattern: RegExp,
  description: string,
): { [key in K]?: string } {
  const typed = options[name]?.trim()
  if (typed === undefined) return {}
  if (pattern.test(typed)) return { [name]: typed } as { [key in K]: string }
  throw new RelayError('usage', `${name} must be ${description}.`)
}
