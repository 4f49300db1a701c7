// The options of the driver `smpp` (docs/reference/drivers.md).
//
// 1. `parseSmppSettings` checks all of them at the start; an invalid one is an error.
// 2. message-options.ts parses the fields of submit_sm, option-values.ts the values that many
//    options share.

import { RelayError } from '../../../../errors.js'
import {
  type DriverOptions,
  type Env,
  parseNumberOption,
  parseYesNoOption,
  requireOption,
} from '../../../driver-port/driver-options.js'
import { type MessageSettings, parseMessageSettings } from './message-options.js'
import { parseChoiceOption, parseTextOption, parseWholeOption } from './option-values.js'

/** `interface_version` of a bind (SMPP 3.4 section 5.2.4). */
const versions = { '3.4': 0x34, '3.3': 0x33, '5.0': 0x50 } as const

export type BindMode = 'transceiver' | 'separate' | 'transmitter'

export interface SmppSettings extends MessageSettings {
  readonly hosts: readonly SmppHost[]
  readonly tls: boolean
  readonly insecure: boolean
  /** SHA-256 fingerprints of accepted certificates, in small hexadecimal digits. */
  readonly pins: readonly string[]
  readonly interfaceVersion: number
  readonly bind: BindMode
  readonly systemId: string
  readonly password: string
  readonly systemType: string
  /** Maximum of unanswered submit_sm. */
  readonly window: number
  /** Maximum of submit_sm a second. */
  readonly throughput: number
  /** Milliseconds between two enquire_link. */
  readonly enquire: number
  /** Milliseconds to wait for the SMSC's response. */
  readonly timeout: number
}

const passwordName = 'SMSRELAY_SMPP_PASSWORD'

export const smppOptions = [
  ...['host', 'port', 'tls', 'insecure', 'tls-pin', 'version', 'bind', 'system-id', 'password'],
  ...['system-type', 'source', 'source-ton', 'source-npi', 'dest-ton', 'dest-npi'],
  ...['validity-period', 'field.service_type', 'field.schedule_delivery_time'],
  ...['field.priority_flag', 'field.protocol_id', 'tlv.*', 'window', 'throughput', 'enquire'],
  ...['timeout', 'long', 'reports', 'alphabet', 'data-coding', 'national'],
] as const

export function parseSmppSettings(options: DriverOptions, env: Env): SmppSettings {
  const tls = parseYesNoOption(options, 'tls')
  const seconds = { min: 1, max: 3600, unit: 'seconds' }
  const port = parseWholeOption(options, 'port', 1, 65_535) ?? (tls ? 3550 : 2775)
  const version = parseChoiceOption(options, 'version', ['3.4', '3.3', '5.0'])
  const insecure = parseYesNoOption(options, 'insecure')
  const settings = {
    ...parseMessageSettings(options),
    hosts: parseHosts(requireOption(options, 'host', '--option host=smpp.example.com'), port),
    tls,
    insecure,
    pins: parsePins(options, tls, insecure),
    interfaceVersion: versions[version],
    bind: parseBind(options, version),
    systemId: parseSystemId(options),
    password: readPassword(options, env),
    systemType: parseTextOption(
      options,
      'system-type',
      /^[ -~]{1,12}$/,
      'at most 12 ASCII letters',
    ),
    window: parseWholeOption(options, 'window', 1, 1000) ?? 10,
    throughput: parseNumberOption(options, 'throughput', throughputRange) ?? Infinity,
    enquire: (parseNumberOption(options, 'enquire', seconds) ?? 30) * 1000,
    timeout: (parseNumberOption(options, 'timeout', seconds) ?? 30) * 1000,
  }
  if (version === '3.3') refuseTlvs(options)
  return settings
}

const throughputRange = { min: 0.1, max: 100_000, unit: 'messages a second' }

/** SMPP 3.3 has no optional parameters. Throws `usage`. */
function refuseTlvs(options: DriverOptions): void {
  parseChoiceOption(options, 'long', ['udh', 'udh16'])
  const tlv = Object.keys(options).find(each => each.startsWith('tlv.'))
  if (tlv === undefined) return
  throw new RelayError('usage', `${tlv} needs version 3.4 or 5.0; version is "3.3".`)
}

function parseSystemId(options: DriverOptions): string {
  const typed = requireOption(options, 'system-id', '--option system-id=my-account')
  if (isAscii(typed)) return typed
  throw new RelayError('usage', `system-id must have ASCII characters only; not "${typed}".`)
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text)
}

/** SMPP 3.3 has no bind_transceiver. */
function parseBind(options: DriverOptions, version: string): BindMode {
  const all = ['transceiver', 'separate', 'transmitter'] as const
  if (version !== '3.3') return parseChoiceOption(options, 'bind', all)
  return parseChoiceOption(options, 'bind', ['separate', 'transmitter'])
}

function readPassword(options: DriverOptions, env: Env): string {
  const password = options.password ?? env[passwordName]
  if (password !== undefined && isAscii(password)) return password
  if (password !== undefined) {
    throw new RelayError('usage', 'The password of the account must have ASCII characters only.')
  }
  throw new RelayError(
    'usage',
    `The smpp driver needs the password of the account; set ${passwordName} in the environment.`,
  )
}

export interface SmppHost {
  readonly host: string
  readonly port: number
}

/** Parses hosts such as `a.example.com,b.example.com:2776,[::1]:2775`. Throws `usage`. */
function parseHosts(list: string, port: number): readonly SmppHost[] {
  return list.split(',').map(typed => {
    const text = typed.trim()
    const [, bracketed, plain, own] = /^(?:\[([\da-fA-F:.]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/.exec(
      text,
    ) ?? [undefined, undefined, /^[\da-fA-F:.]{2,}$/.test(text) ? text : undefined]
    const host = bracketed ?? plain
    const found = own === undefined ? port : Number(own)
    if (host !== undefined && found >= 1 && found <= 65_535) return { host, port: found }
    const allowed = 'names or addresses with commas between them, each with or without :PORT'
    throw new RelayError('usage', `host must be ${allowed}; not "${typed}".`)
  })
}

/** Parses SHA-256 fingerprints of certificates, with or without colons. Throws `usage`. */
function parsePins(options: DriverOptions, tls: boolean, insecure: boolean): readonly string[] {
  const typed = options['tls-pin']
  if (typed === undefined) return []
  if (!tls || insecure) {
    const rule = 'needs tls=yes, and no insecure=yes'
    throw new RelayError('usage', `tls-pin ${rule}; it is "${typed}".`)
  }
  return typed.split(',').map(each => {
    const pin = each.trim().replaceAll(':', '').toLowerCase()
    if (/^[\da-f]{64}$/.test(pin)) return pin
    const allowed = 'SHA-256 fingerprints of certificates: 64 hexadecimal digits each'
    throw new RelayError('usage', `tls-pin must be ${allowed}; not "${each}".`)
  })
}
