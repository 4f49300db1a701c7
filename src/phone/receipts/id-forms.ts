/** The usual form of a network's id of a part: some networks pad it or change its case. */
export function normalizeNetworkId(id: string): string {
  return id
    .trim()
    .toLowerCase()
    .replace(/^0+(?=.)/, '')
}

/**
 * The forms of a normalized network id: itself, and as a decimal or hexadecimal number. Some SMSCs
 * write one form into responses and the other into receipts.
 */
export function listIdForms(id: string): string[] {
  const hexadecimal = /^\d{1,19}$/.test(id) ? [BigInt(id).toString(16)] : []
  const decimal = /^[0-9a-f]{1,16}$/.test(id) ? [BigInt(`0x${id}`).toString()] : []
  return [id, ...hexadecimal, ...decimal]
}

/** Whether two numbers can be the same: one may lack its prefix, or be unknown. */
export function canBeSameNumber(one: string, other: string): boolean {
  const [a, b] = [one.replace(/\D/g, ''), other.replace(/\D/g, '')]
  const length = Math.min(a.length, b.length, comparedDigits)
  return a.slice(a.length - length) === b.slice(b.length - length)
}

const comparedDigits = 6
