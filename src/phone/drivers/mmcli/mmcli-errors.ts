import { DriverError, type DriverErrorKind } from '../../driver-port/driver.js'
import { addAdvice, describeResult } from '../program/external-program.js'
import type { ProgramResult } from '../program/run-program.js'

/** What the errors of ModemManager mean for a text, by the end of their D-Bus names (ModemManager API, Errors). */
const kinds: Readonly<Record<string, DriverErrorKind>> = {
  ...mapKinds('fail', [
    'Core.InvalidArgs',
    'Message.InvalidPduParameter',
    'Message.InvalidTextParameter',
  ]),
  ...mapKinds('trouble', [
    'Core.Unauthorized',
    'Core.InProgress',
    'Core.WrongState',
    'Core.NotFound',
  ]),
  ...mapKinds('trouble', [
    'Core.NoPlugins',
    'Core.Unsupported',
    'Core.Connected',
    'Core.WrongSimState',
  ]),
  ...mapKinds('trouble', ['Core.Retry', 'Core.Throttled', 'Core.TooMany', 'Core.ResetRetry']),
  ...mapKinds('trouble', ['Message.MeFailure', 'Message.NotAllowed', 'Message.NotSupported']),
  ...mapKinds('trouble', [
    'Message.SmsServiceReserved',
    'Message.SimNotInserted',
    'Message.SimPin',
  ]),
  ...mapKinds('trouble', ['Message.PhSimPin', 'Message.SimFailure', 'Message.SimBusy']),
  ...mapKinds('trouble', [
    'Message.SimWrong',
    'Message.SimPuk',
    'Message.SimPin2',
    'Message.SimPuk2',
  ]),
  ...mapKinds('trouble', ['Message.MemoryFailure', 'Message.MemoryFull', 'Message.InvalidIndex']),
  ...mapKinds('trouble', ['Message.SmscAddressUnknown', 'Message.NoNetwork', 'Serial.OpenFailed']),
  ...mapKinds('trouble', ['DBus.Error.ServiceUnknown', 'DBus.Error.AccessDenied']),
  ...mapKinds('trouble', ['DBus.Error.UnknownMethod', 'DBus.Error.UnknownObject']),
}

function mapKinds(
  kind: DriverErrorKind,
  names: readonly string[],
): Readonly<Record<string, DriverErrorKind>> {
  return Object.fromEntries(names.map(name => [name, kind]))
}

/** Errors of mmcli itself, before ModemManager was asked for anything. */
const localErrors =
  /couldn't (get bus|find the ModemManager|find modem|find SMS|create manager)|modem not enabled|no messaging capabilities|no modem was specified/

const advice: readonly (readonly [RegExp, string])[] = [
  [
    /couldn't (get bus|find the ModemManager|create manager)/,
    'Start it: systemctl start ModemManager.',
  ],
  [/couldn't find modem/, 'mmcli -L lists the modems.'],
  [/modem not enabled/, 'Enable it: mmcli -m any --enable.'],
  [
    /no messaging capabilities/,
    'This modem sends no texts under ModemManager; try the driver modem.',
  ],
  [
    /Unauthorized|AccessDenied/,
    'Run the phone as root, or let its user use ModemManager in polkit.',
  ],
  [/SimPin|SimPuk/, 'Unlock the SIM: mmcli -i any --pin=PIN.'],
  [
    /Unknown option --messaging-create-sms-with-text/,
    'This mmcli cannot take a text with both kinds of quotes; a newer ModemManager can.',
  ],
]

/** The error of a run of mmcli that did not do its work; `otherwise` is what an error that is not known means. */
export function mmcliError(ended: ProgramResult, otherwise: DriverErrorKind): DriverError {
  const said = describeResult('mmcli', ended)
  const todo = advice.find(([pattern]) => pattern.test(said))?.[1]
  return new DriverError(getErrorKind(ended, otherwise), addAdvice(said, todo))
}

function getErrorKind({ by, stderr }: ProgramResult, otherwise: DriverErrorKind): DriverErrorKind {
  // A text that crashes mmcli must not do so for ever.
  if (by === 'signal' && otherwise === 'trouble') return 'retry'
  if (localErrors.test(stderr)) return 'trouble'
  if (/Unknown option|cannot parse properties|cannot read from file/.test(stderr)) return 'fail'
  const name = /org\.freedesktop\.(?:ModemManager1\.Error\.)?([\w.]+\w)/.exec(stderr)?.[1]
  return kinds[name ?? ''] ?? otherwise
}
