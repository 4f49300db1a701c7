import type { NationalLanguage } from '../../../../domain/sms/national-tables.js'
import { RelayError } from '../../../../errors.js'
import {
  type DriverOptions,
  parseNationalOption,
  parseYesNoOption,
} from '../../../driver-port/driver-options.js'
import type { SmppAddress, Tlv } from '../pdu/pdu.js'
import { parseChoiceOption, parseTextOption, parseWholeOption } from './option-values.js'

export type LongTextMode = 'udh' | 'udh16' | 'payload' | 'sar'

/** How the octets of a text in the account's alphabet are read. */
export type SmppAlphabet = 'gsm' | 'gsm-packed' | 'latin-1' | 'ascii'

/** What each submit_sm has in its fields. */
export interface MessageSettings {
  readonly source: SmppAddress
  readonly destination: { readonly ton: number | undefined; readonly npi: number | undefined }
  readonly serviceType: string
  /** In the SMSC's form (SMPP 3.4 section 7.1.1); empty for its default. */
  readonly validityPeriod: string
  readonly scheduleDeliveryTime: string
  readonly priorityFlag: number
  readonly protocolId: number
  readonly tlvs: readonly Tlv[]
  readonly long: LongTextMode
  readonly reports: boolean
  /** The alphabet of texts with `dataCoding`, sent and received. */
  readonly alphabet: SmppAlphabet
  readonly dataCoding: number
  /** Languages whose tables texts may use. */
  readonly national: readonly NationalLanguage[]
}

/** Values of `data_coding` (SMPP 3.4 section 5.2.19). */
const dataCodings = { gsm: 0, 'gsm-packed': 0, 'latin-1': 3, ascii: 1 } as const

/** Parses the options for the fields of submit_sm. Throws `usage`. */
export function parseMessageSettings(options: DriverOptions): MessageSettings {
  const alphabet = parseChoiceOption(options, 'alphabet', [
    ...(['gsm', 'gsm-packed', 'latin-1', 'ascii'] as const),
  ])
  const long = parseChoiceOption(options, 'long', ['udh', 'udh16', 'payload', 'sar'])
  return {
    source: parseSource(options),
    destination: {
      ton: parseWholeOption(options, 'dest-ton', 0, 255),
      npi: parseWholeOption(options, 'dest-npi', 0, 255),
    },
    serviceType: parseTextOption(
      options,
      'field.service_type',
      /^[!-~]{1,5}$/,
      '1 to 5 ASCII letters',
    ),
    validityPeriod: parseTimeOption(options, 'validity-period'),
    scheduleDeliveryTime: parseTimeOption(options, 'field.schedule_delivery_time'),
    priorityFlag: parseWholeOption(options, 'field.priority_flag', 0, 4) ?? 0,
    protocolId: parseWholeOption(options, 'field.protocol_id', 0, 255) ?? 0,
    tlvs: parseTlvs(options),
    long,
    reports: parseYesNoOption(options, 'reports'),
    alphabet,
    dataCoding: parseWholeOption(options, 'data-coding', 0, 255) ?? dataCodings[alphabet],
    national: parseNational(options, alphabet, long),
  }
}

/** The header of each part names its tables, so they need septets and a header. */
function parseNational(
  options: DriverOptions,
  alphabet: SmppAlphabet,
  long: LongTextMode,
): readonly NationalLanguage[] {
  const national = parseNationalOption(options)
  const hasSeptets = alphabet === 'gsm' || alphabet === 'gsm-packed'
  const hasHeader = long === 'udh' || long === 'udh16'
  if (national.length === 0 || (hasSeptets && hasHeader)) return national
  const needed = hasSeptets ? 'long=udh or long=udh16' : 'alphabet=gsm or alphabet=gsm-packed'
  throw new RelayError('usage', `national needs ${needed}, because texts name their tables there.`)
}

/** SMPP address of a recipient: digits with `+` in front are an international number. */
export function toDestinationAddress(
  destination: string,
  { ton, npi }: MessageSettings['destination'],
): SmppAddress {
  const isInternational = destination.startsWith('+')
  const address = isInternational ? destination.slice(1) : destination
  return { address, ton: ton ?? (isInternational ? 1 : 0), npi: npi ?? 1 }
}

/**
 * SMPP address of the sender: `+` and digits are international (TON 1), other digits unknown (0),
 * all else a name (5).
 */
function parseSource(options: DriverOptions): SmppAddress {
  const form = /^[\x20-\x7e\xa1-\xff]{1,20}$/
  const typed = parseTextOption(options, 'source', form, 'a number or at most 20 letters')
  const guess = /^\+\d+$/.test(typed) ? [1, 1] : /^\d+$/.test(typed) ? [0, 1] : [5, 0]
  const [ton = 0, npi = 0] = typed === '' ? [0, 0] : guess
  return {
    address: typed.replace(/^\+/, ''),
    ton: parseWholeOption(options, 'source-ton', 0, 255) ?? ton,
    npi: parseWholeOption(options, 'source-npi', 0, 255) ?? npi,
  }
}

const maxSeconds = 2_592_000

/** Parses seconds to relative time, or takes a time in the SMSC's form (SMPP 3.4 section 7.1.1). */
function parseTimeOption(options: DriverOptions, name: string): string {
  const typed = options[name]?.trim() ?? ''
  if (typed === '' || /^\d{15}R$|^\d{13}[0-4]\d[+-]$/.test(typed)) return typed
  const seconds = /^\d{1,7}$/.test(typed) ? Number(typed) : 0
  if (seconds >= 1 && seconds <= maxSeconds) return formatRelativeTime(seconds)
  const allowed = `seconds, 1 to ${maxSeconds}, or a time in SMPP's form such as 000001000000000R`
  throw new RelayError('usage', `${name} must be ${allowed}; not "${typed}".`)
}

function formatRelativeTime(seconds: number): string {
  const units = [86_400, 3600, 60, 1]
  let rest = seconds
  const digits = units.map(unit => {
    const count = Math.floor(rest / unit)
    rest -= count * unit
    return String(count).padStart(2, '0')
  })
  return `0000${digits.join('')}000R`
}

/** Parses options such as `tlv.0x1400=0x0102` (octets) or `tlv.0x1401=text`. Throws `usage`. */
function parseTlvs(options: DriverOptions): readonly Tlv[] {
  return Object.entries(options).flatMap(([name, typed]) => {
    if (!name.startsWith('tlv.')) return []
    const [, digits] = /^tlv\.0x([\da-f]{1,4})$/i.exec(name) ?? []
    if (digits === undefined) {
      throw new RelayError('usage', `${name} must have a tag such as tlv.0x1400.`)
    }
    return [{ tag: Number.parseInt(digits, 16), value: parseTlvValue(name, typed) }]
  })
}

function parseTlvValue(name: string, typed: string): Uint8Array {
  const [, hex] = /^0x((?:[\da-f]{2})*)$/i.exec(typed) ?? []
  if (hex !== undefined) return Buffer.from(hex, 'hex')
  if (!typed.startsWith('0x') && /^[\x20-\x7e\xa0-\xff]*$/.test(typed)) {
    return Buffer.from(typed, 'latin1')
  }
  const allowed = 'octets such as 0x0102, or a text in Latin-1'
  throw new RelayError('usage', `${name} must be ${allowed}; not "${typed}".`)
}
