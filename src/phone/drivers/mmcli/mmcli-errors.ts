import { DriverError, type DriverErrorKind } from '../../driver-port/driver.js'
import { addAdvice, describeResult } from '../program/external-program.js'
import type { ProgramResult } from '../program/run-program.js'

const failErrors = [
  'Core.InvalidArgs',
  'Message.InvalidPduParameter',
  'Message.InvalidTextParameter',
]

const troubleErrors = [
  ...['Core.Unauthorized', 'Core.InProgress', 'Core.WrongState', 'Core.NotFound'],
  ...['Core.NoPlugins', 'Core.Unsupported', 'Core.Connected', 'Core.WrongSimState'],
  ...['Core.Retry', 'Core.Throttled', 'Core.TooMany', 'Core.ResetRetry'],
  ...['Message.NotAllowed', 'Message.NotSupported'],
  ...['Message.SmsServiceReserved', 'Message.SimNotInserted', 'Message.SimPin'],
  ...['Message.PhSimPin', 'Message.SimFailure', 'Message.SimBusy'],
  ...['Message.SimWrong', 'Message.SimPuk', 'Message.SimPin2', 'Message.SimPuk2'],
  ...['Message.MemoryFull', 'Message.InvalidIndex'],
  ...['Message.SmscAddressUnknown', 'Message.NoNetwork', 'Serial.OpenFailed'],
  ...['MobileEquipment.SimNotInserted', 'MobileEquipment.SimPin', 'MobileEquipment.SimPuk'],
  ...['MobileEquipment.SimFailure', 'MobileEquipment.SimBusy', 'MobileEquipment.SimWrong'],
  ...['MobileEquipment.NoNetwork', 'MobileEquipment.NetworkNotAllowed'],
  ...['DBus.Error.ServiceUnknown', 'DBus.Error.AccessDenied'],
  ...['DBus.Error.UnknownMethod', 'DBus.Error.UnknownObject'],
]

/** The meaning of ModemManager's errors, by the end of their D-Bus names. */
const kinds = new Map<string, DriverErrorKind>([
  ...failErrors.map(name => [name, 'fail'] as const),
  ...troubleErrors.map(name => [name, 'trouble'] as const),
])

/** Errors of mmcli itself, before it has sent a request to ModemManager. */
const localErrors = [
  /couldn't (get bus|find the ModemManager|find modem|find SMS|create manager)/,
  /modem not enabled|no messaging capabilities|no modem was specified/,
]

const advice: readonly (readonly [RegExp, string])[] = [
  [
    /couldn't (get bus|find the ModemManager|create manager)/,
    'Start it: systemctl start ModemManager.',
  ],
  [/couldn't find modem/, 'mmcli -L lists the modems.'],
  [/modem not enabled/, 'Enable it: mmcli -m any --enable.'],
  [
    /no messaging capabilities/,
    'This modem cannot send texts under ModemManager; try the driver modem.',
  ],
  [
    /Unauthorized|AccessDenied/,
    'Run the phone as root, or let its user use ModemManager in polkit.',
  ],
  [/SimPin|SimPuk/, 'Unlock the SIM: mmcli -i any --pin=PIN.'],
  [
    /Unknown option --messaging-create-sms-with-text/,
    'This mmcli cannot send a text with both kinds of quotes; a newer ModemManager can.',
  ],
]

export function mmcliError(result: ProgramResult, otherwise: DriverErrorKind): DriverError {
  const description = describeResult('mmcli', result)
  const matching = advice.find(([pattern]) => pattern.test(description))?.[1]
  return new DriverError(getErrorKind(result, otherwise), addAdvice(description, matching))
}

function getErrorKind({ by, stderr }: ProgramResult, otherwise: DriverErrorKind): DriverErrorKind {
  // A crash of mmcli counts as an attempt, so that a text that causes it is not tried forever.
  if (by === 'signal' && otherwise === 'trouble') return 'retry'
  if (localErrors.some(pattern => pattern.test(stderr))) return 'trouble'
  if (/Unknown option|cannot parse properties|cannot read from file/.test(stderr)) return 'fail'
  const name = /org\.freedesktop\.(?:ModemManager1\.Error\.)?([\w.]+\w)/.exec(stderr)?.[1]
  return kinds.get(name ?? '') ?? otherwise
}
