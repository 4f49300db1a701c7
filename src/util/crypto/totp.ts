import { createHmac } from 'node:crypto'
import { isSameSecret } from './secrets.js'

/** How authenticator apps compute codes when a key names nothing else (RFC 6238, section 4). */
const period = 30_000
const digits = 6

/** Time steps before and after the present one whose code is accepted (RFC 6238, section 5.2). */
const tolerance = 1

/**
 * Finds the time step of a code of an authenticator app (RFC 6238): the present one or one next to
 * it, since clocks differ and typing takes time. Undefined for a wrong code.
 *
 * @param secret base32 (RFC 4648, section 6)
 * @param now milliseconds since the epoch
 */
export function findTotpStep(secret: string, code: string, now: number): number | undefined {
  const present = Math.floor(now / period)
  const steps = [present, present - tolerance, present + tolerance]
  return steps.filter(step => isSameSecret(code, computeTotp(secret, step * period)))[0]
}

/** The code of an authenticator app at a time (RFC 6238 with HMAC-SHA-1), six digits. */
export function computeTotp(secret: string, now: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.max(0, Math.floor(now / period))))
  const mac = createHmac('sha1', decodeBase32(secret)).update(counter).digest()
  // Dynamic truncation (RFC 4226, section 5.3).
  const offset = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

function decodeBase32(text: string): Buffer {
  const bits = [...text.toLowerCase()]
    .map(letter => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
}
