// The options of the driver `smpp` (docs/reference/drivers.md). `parseSmppSettings` checks all of
// them at the start; an invalid one is an error.
import { RelayError } from '../../../../errors.js'
import {
  choice,
  type DriverOptions,
  type Env,
  formed,
  national,
  number,
  type OptionValues,
  parseChoice,
  parsed,
  readOptions,
  refuse,
  required,
  seconds,
  text,
  whole,
  yesNo,
} from '../../../driver-port/driver-options.js'
import type { SmppAddress, Tlv } from '../pdu/pdu.js'

/** How the octets of a text in the account's alphabet are read. */
export type SmppAlphabet = 'gsm' | 'gsm-packed' | 'latin-1' | 'ascii'

export interface SmppHost {
  readonly host: string
  readonly port: number
}

const passwordName = 'SMSRELAY_SMPP_PASSWORD'
const octet = () => whole(0, 255)

export const smppOptions = {
  host: required('--option host=smpp.example.com', { ask: 'Host of the SMSC' }),
  port: whole(1, 65_535, { ask: 'Port', suggest: '2775' }),
  'system-id': required('--option system-id=my-account', { ask: 'System id of the account' }),
  password: text({
    variable: passwordName,
    mask: 'all',
    ask: `Password (empty: ${passwordName} in the environment)`,
  }),
  source: formed(/^[\x20-\x7e\xa1-\xff]{1,20}$/, 'a number or at most 20 letters', { absent: '' }),
  tls: yesNo(),
  insecure: yesNo(),
  /** SHA-256 fingerprints of accepted certificates, in small hexadecimal digits. */
  'tls-pin': parsed(parsePins),
  version: choice(['3.4', '3.3', '5.0']),
  bind: parsed((typed, name) => parseChoice(typed, name, bindModes)),
  'system-type': formed(/^[ -~]{1,12}$/, 'at most 12 ASCII letters', { absent: '' }),
  'source-ton': octet(),
  'source-npi': octet(),
  'dest-ton': octet(),
  'dest-npi': octet(),
  'validity-period': parsed(parseTime, { absent: '' }),
  'field.service_type': formed(/^[!-~]{1,5}$/, '1 to 5 ASCII letters', { absent: '' }),
  'field.schedule_delivery_time': parsed(parseTime, { absent: '' }),
  'field.priority_flag': whole(0, 4, { absent: 0 }),
  'field.protocol_id': whole(0, 255, { absent: 0 }),
  'tlv.*': parsed(parseTlv),
  /** Unanswered submit_sm, at most. */
  window: whole(1, 1000, { absent: 10 }),
  throughput: number(0.1, 100_000, { unit: 'messages a second', absent: Infinity }),
  /** Between two enquire_link. */
  enquire: seconds(30, 1, 3600),
  /** For the SMSC's response. */
  timeout: seconds(30, 1, 3600),
  long: choice(['udh', 'udh16', 'payload', 'sar']),
  reports: yesNo(),
  /** The alphabet of texts with `dataCoding`, sent and received. */
  alphabet: choice(['gsm', 'gsm-packed', 'latin-1', 'ascii']),
  'data-coding': octet(),
  national: national(),
}

type Values = OptionValues<typeof smppOptions>
export type SmppSettings = ReturnType<typeof parseSmppSettings>

/** `interface_version` of a bind (SMPP 3.4 section 5.2.4). */
const versions = { '3.4': 0x34, '3.3': 0x33, '5.0': 0x50 } as const
const bindModes = ['transceiver', 'separate', 'transmitter'] as const
/** Values of `data_coding` (SMPP 3.4 section 5.2.19). */
const dataCodings = { gsm: 0, 'gsm-packed': 0, 'latin-1': 3, ascii: 1 } as const

export function parseSmppSettings(options: DriverOptions, env: Env) {
  const values = readOptions(smppOptions, options, env)
  const { tls, insecure, version, 'tls-pin': pins = [] } = values
  if (pins.length > 0 && (!tls || insecure)) {
    const typed = options['tls-pin']
    throw new RelayError('usage', `tls-pin needs tls=yes, and no insecure=yes; it is "${typed}".`)
  }
  if (version === '3.3') refuseNewParts(options)
  requireNationalHeader(values)
  requireAscii(values['system-id'])
  const { host, port = tls ? 3550 : 2775, alphabet } = values
  return {
    ...values,
    hosts: host.split(',').map(each => parseHost(each, port)),
    pins,
    interfaceVersion: versions[version],
    bind: values.bind ?? (version === '3.3' ? 'separate' : 'transceiver'),
    password: requirePassword(values),
    source: toSource(values),
    destination: { ton: values['dest-ton'], npi: values['dest-npi'] },
    tlvs: Object.values(values['tlv.*']),
    dataCoding: values['data-coding'] ?? dataCodings[alphabet],
  }
}

/** SMPP address of a recipient: digits with `+` in front are an international number. */
export function toDestinationAddress(
  destination: string,
  { ton, npi }: SmppSettings['destination'],
): SmppAddress {
  const isInternational = destination.startsWith('+')
  const address = isInternational ? destination.slice(1) : destination
  return { address, ton: ton ?? (isInternational ? 1 : 0), npi: npi ?? 1 }
}

/**
 * SMPP address of the sender: `+` and digits are international (TON 1), other digits unknown (0),
 * all else a name (5).
 */
function toSource({ source, 'source-ton': ton, 'source-npi': npi }: Values): SmppAddress {
  const guess = /^\+\d+$/.test(source) ? [1, 1] : /^\d+$/.test(source) ? [0, 1] : [5, 0]
  const [guessedTon = 0, guessedNpi = 0] = source === '' ? [0, 0] : guess
  return { address: source.replace(/^\+/, ''), ton: ton ?? guessedTon, npi: npi ?? guessedNpi }
}

/** SMPP 3.3 has no optional parameters and no bind_transceiver. Throws `usage`. */
function refuseNewParts(options: DriverOptions): void {
  const { long = 'udh', bind = 'separate' } = options
  parseChoice(long, 'long', ['udh', 'udh16'])
  parseChoice(bind, 'bind', ['separate', 'transmitter'])
  const tlv = Object.keys(options).find(each => each.startsWith('tlv.'))
  if (tlv === undefined) return
  throw new RelayError('usage', `${tlv} needs version 3.4 or 5.0; version is "3.3".`)
}

/** The header of each part names its tables, so they need septets and a header. */
function requireNationalHeader({ national: languages, alphabet, long }: Values): void {
  const hasSeptets = alphabet === 'gsm' || alphabet === 'gsm-packed'
  const hasHeader = long === 'udh' || long === 'udh16'
  if (languages.length === 0 || (hasSeptets && hasHeader)) return
  const needed = hasSeptets ? 'long=udh or long=udh16' : 'alphabet=gsm or alphabet=gsm-packed'
  throw new RelayError('usage', `national needs ${needed}, because texts name their tables there.`)
}

function isAscii(typed: string): boolean {
  return /^[ -~]*$/.test(typed)
}

function requireAscii(typed: string): void {
  if (isAscii(typed)) return
  throw new RelayError('usage', `system-id must have ASCII characters only; not "${typed}".`)
}

function requirePassword({ password }: Values): string {
  if (password !== undefined && isAscii(password)) return password
  throw new RelayError(
    'usage',
    password === undefined
      ? `The smpp driver needs the password of the account; set ${passwordName} in the environment.`
      : 'The password of the account must have ASCII characters only.',
  )
}

/** Parses `a.example.com`, `b.example.com:2776` or `[::1]:2775`. Throws `usage`. */
function parseHost(typed: string, port: number): SmppHost {
  const address = typed.trim()
  const [, bracketed, plain, own] = /^(?:\[([\da-fA-F:.]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/.exec(
    address,
  ) ?? [undefined, undefined, /^[\da-fA-F:.]{2,}$/.test(address) ? address : undefined]
  const host = bracketed ?? plain
  const found = own === undefined ? port : Number(own)
  if (host !== undefined && found >= 1 && found <= 65_535) return { host, port: found }
  throw refuse(
    'host',
    'names or addresses with commas between them, each with or without :PORT',
    typed,
  )
}

function parsePins(typed: string, name: string): readonly string[] {
  return typed.split(',').map(each => {
    const pin = each.trim().replaceAll(':', '').toLowerCase()
    if (/^[\da-f]{64}$/.test(pin)) return pin
    throw refuse(name, 'SHA-256 fingerprints of certificates: 64 hexadecimal digits each', each)
  })
}

const maxSeconds = 2_592_000

/** Parses seconds to relative time, or takes a time in the SMSC's form (SMPP 3.4 section 7.1.1). */
function parseTime(given: string, name: string): string {
  const typed = given.trim()
  if (typed === '' || /^\d{15}R$|^\d{13}[0-4]\d[+-]$/.test(typed)) return typed
  const count = /^\d{1,7}$/.test(typed) ? Number(typed) : 0
  if (count >= 1 && count <= maxSeconds) return formatRelativeTime(count)
  const allowed = `seconds, 1 to ${maxSeconds}, or a time in SMPP's form such as 000001000000000R`
  throw refuse(name, allowed, typed)
}

function formatRelativeTime(total: number): string {
  const units = [86_400, 3600, 60, 1]
  let rest = total
  const digits = units.map(unit => {
    const count = Math.floor(rest / unit)
    rest -= count * unit
    return String(count).padStart(2, '0')
  })
  return `0000${digits.join('')}000R`
}

/** Parses options such as `tlv.0x1400=0x0102` (octets) or `tlv.0x1401=text`. Throws `usage`. */
function parseTlv(typed: string, name: string): Tlv {
  const [, digits] = /^tlv\.0x([\da-f]{1,4})$/i.exec(name) ?? []
  if (digits === undefined) {
    throw new RelayError('usage', `${name} must have a tag such as tlv.0x1400.`)
  }
  return { tag: Number.parseInt(digits, 16), value: parseTlvValue(name, typed) }
}

function parseTlvValue(name: string, typed: string): Uint8Array {
  const [, hex] = /^0x((?:[\da-f]{2})*)$/i.exec(typed) ?? []
  if (hex !== undefined) return Buffer.from(hex, 'hex')
  if (!typed.startsWith('0x') && /^[\x20-\x7e\xa0-\xff]*$/.test(typed)) {
    return Buffer.from(typed, 'latin1')
  }
  throw refuse(name, 'octets such as 0x0102, or a text in Latin-1', typed)
}
