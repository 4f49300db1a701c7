import type { DriverHealth, DriverNetwork } from '../../driver-port/driver.js'

/**
 * Parses `mmcli --output-keyvalue`: lines of a key, a colon and a value. Absent values (`--`) are
 * left out. The values are those of `g_strescape`; this form has been the same since ModemManager
 * 1.10, while its JSON was invalid for texts that are not ASCII until 1.20.
 */
export function parseKeyValues(stdout: string): ReadonlyMap<string, string> {
  const pairs = stdout.split('\n').flatMap(line => {
    const [, key, value] = /^(\S+)\s* : (.*)$/.exec(line) ?? []
    return key === undefined || value === undefined ? [] : [[key, value] as const]
  })
  const present = pairs.filter(([, value]) => value !== '--')
  return new Map(present.map(([key, value]) => [key, unescapeValue(value)]))
}

/**
 * Parses a list of D-Bus paths in that form. The keys are padded, and are cut off in long lists, so
 * only their beginning counts.
 */
export function parsePathList(stdout: string): readonly string[] {
  const values = stdout.matchAll(/^modem\.messaging\.sms\.value\S* : (\/\S+)$/gm)
  return [...values].flatMap(([, path]) => path ?? [])
}

/** The registrations with which a modem can send texts, though ModemManager is not `registered`. */
const smsOnly = ['home-sms-only', 'roaming-sms-only']

export function parseMmcliHealth(stdout: string): DriverHealth {
  const values = parseKeyValues(stdout)
  const get = (name: string) => values.get(`modem.${name}`) ?? 'unknown'
  const state = get('generic.state')
  const reason = values.get('modem.generic.state-failed-reason')
  const registration = get('3gpp.registration-state')
  const isReady = ['registered', 'connecting', 'connected', 'disconnecting'].includes(state)
  const network = `network ${get('3gpp.operator-name')} (${registration})`
  const signal = `signal ${get('generic.signal-quality.value')} %`
  const failure = reason === undefined ? '' : ` (${reason})`
  return {
    ok: isReady || (state === 'enabled' && smsOnly.includes(registration)),
    detail: `Modem ${state}${failure}, ${network}, ${signal}.`,
  }
}

export function parseMmcliNetwork(stdout: string): DriverNetwork {
  const values = parseKeyValues(stdout)
  const quality = values.get('modem.generic.signal-quality.value')
  const operator = values.get('modem.3gpp.operator-name')
  return {
    ...(quality !== undefined && { signal: `${quality} %` }),
    ...(operator !== undefined && { operator }),
  }
}

const escapes: Readonly<Record<string, string>> = {
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
}

/** Reverses `g_strescape`, which writes octets that are not ASCII as three octal digits. */
function unescapeValue(value: string): string {
  const pieces = value.match(/\\[0-7]{1,3}|\\.|[^\\]+/gsu) ?? []
  const octets = pieces.map(piece => {
    const [, code] = /^\\([0-7]+)$/.exec(piece) ?? []
    if (code !== undefined) return Buffer.from([Number.parseInt(code, 8) & 0xff])
    if (!piece.startsWith('\\')) return Buffer.from(piece)
    const escaped = piece.slice(1)
    return Buffer.from(escapes[escaped] ?? escaped)
  })
  return Buffer.concat(octets).toString('utf8')
}
