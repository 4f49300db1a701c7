import { RelayError } from '../../../errors.js'
import {
  choice,
  type DriverContext,
  type DriverOptions,
  formed,
  national,
  type OptionValues,
  parsed,
  readOptions,
  required,
  seconds,
  whole,
  yesNo,
} from '../../driver-port/driver-options.js'
import { createLineOpener, type OpenSerialLine } from './serial-line.js'

export const modemOptions = {
  device: required('--option device=/dev/ttyUSB0', {
    ask: 'Device of the modem, or tcp://HOST:PORT',
    suggest: '/dev/ttyUSB2',
  }),
  baud: whole(300, 4_000_000, { absent: 115_200 }),
  pin: formed(/^\d{4,8}$/, '4 to 8 digits', {
    variable: 'SMSRELAY_SIM_PIN',
    mask: 'all',
    ask: 'PIN of the SIM card (empty: no PIN)',
  }),
  smsc: formed(/^\+?\d{3,15}$/, 'a number such as +12025550100'),
  /** For the network to accept a part. */
  timeout: seconds(60, 1, 600),
  reports: yesNo(),
  /** AT commands that the modem gets first. */
  init: parsed((typed, name) => typed.split('|').flatMap(each => parseCommand(each, name)), {
    absent: [],
  }),
  /** AT command that restarts a silent modem; none if it is not to be restarted. */
  reset: parsed((typed, name) => (typed.trim() === 'none' ? [] : parseCommand(typed, name)), {
    absent: ['AT+CFUN=1,1'],
  }),
  /** Whether the parts of a long text have a reference of 8 or of 16 bits. */
  long: choice(['udh', 'udh16']),
  national: national(),
}

export interface ModemSettings extends OptionValues<typeof modemOptions> {
  readonly open: OpenSerialLine
}

export function parseModemOptions(
  options: DriverOptions,
  env: DriverContext['env'],
): ModemSettings {
  const values = readOptions(modemOptions, options, env)
  return { ...values, open: createLineOpener(values.device, values.baud) }
}

/** An AT command; none if it is empty. Throws `usage`. */
function parseCommand(typed: string, option: string): string[] {
  const command = typed.trim()
  if (command === '') return []
  if (/^AT[\x20-\x7e]*$/i.test(command)) return [command]
  throw new RelayError('usage', `${option} must be an AT command; not "${command}".`, {
    hint: 'Such as AT+CFUN=1. Separate several commands of init with |.',
  })
}
