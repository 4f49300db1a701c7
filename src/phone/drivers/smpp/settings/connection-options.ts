import { RelayError } from '../../../../errors.js'
import type { DriverOptions } from '../../../driver-port/driver-options.js'

export interface SmppHost {
  readonly host: string
  readonly port: number
}

/** Parses hosts such as `a.example.com,b.example.com:2776,[::1]:2775`. Throws `usage`. */
export function parseHosts(list: string, port: number): readonly SmppHost[] {
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
export function parsePins(
  options: DriverOptions,
  tls: boolean,
  insecure: boolean,
): readonly string[] {
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
