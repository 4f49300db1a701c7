import type { Owned } from './owned.js'

/** What the service knows of a phone, as kept; times in milliseconds since the epoch. */
export interface PhoneState extends Owned {
  readonly name: string
  readonly driver: string
  readonly firstNextAt: number
  /** When it last asked for a message, or waited for one. */
  readonly lastNextAt: number
  readonly lastSuccessAt?: number
  readonly lastFailureAt?: number
}

/** How a phone is known that says nothing of itself. */
export const unknownPhone = { name: 'unnamed', driver: 'unknown' } as const

/** Milliseconds without a NEXT, while the service runs, after which a phone counts as silent. */
export const silentAfter = 5 * 60 * 1000

/** Milliseconds without a NEXT after which a phone is forgotten. */
export const phoneKept = 30 * 24 * 60 * 60 * 1000

/** Phones of an account that are known; the one that was not seen for longest makes room for another. */
export const mostPhones = 1000

/** Printable ASCII, 64 characters at most, no space at its ends; what a URL takes for a path of its own is none. */
const label = /^(?!\.{1,2}$)[!-~](?:[ -~]{0,62}[!-~])?$/

/** Whether a text can name a phone or a driver: 1 to 64 printable characters of ASCII. */
export function isPhoneLabel(text: string): boolean {
  return label.test(text)
}
