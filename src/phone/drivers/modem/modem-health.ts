import type { DriverHealth } from '../../driver-port/driver.js'

const networks: Readonly<Record<string, string>> = {
  0: 'not looking for a network',
  1: 'in the home network',
  2: 'looking for a network',
  3: 'refused by the network',
  5: 'roaming',
}

/** Signal of AT+CSQ (0 to 31, 99 unknown) and state of AT+CREG in words (3GPP TS 27.007 sections 8.5 and 7.2). */
export function toModemHealth(
  signal: string | undefined,
  network: string | undefined,
): DriverHealth {
  const [strength] = (signal ?? '').split(',')
  const state = (network ?? '').split(',')[1]?.trim() ?? ''
  const dbm = Number(strength) <= 31 ? `${Number(strength) * 2 - 113} dBm` : 'unknown'
  const where = networks[state] ?? 'network unknown'
  return { ok: state === '1' || state === '5', detail: `Signal ${dbm}, ${where}.` }
}
