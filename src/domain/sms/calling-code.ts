/** Calling codes of one and two digits (ITU-T E.164); all others have three. */
const shortCodes = new Set(
  (
    '1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 ' +
    '63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'
  ).split(' '),
)

/** The longest beginning of a number that {@link getCallingCode} needs. */
export const callingCodeLength = 4

/**
 * The calling code of a number in E.164 form or of its first four characters, such as `+49`;
 * undefined for a short code.
 */
export function getCallingCode(number: string): string | undefined {
  if (!number.startsWith('+')) return undefined
  const length = [1, 2].find(digits => shortCodes.has(number.slice(1, 1 + digits))) ?? 3
  return number.slice(0, 1 + length)
}
