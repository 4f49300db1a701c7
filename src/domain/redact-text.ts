/**
 * What looks like a key, a token, credentials, a query or a number, each with its replacement. A
 * key keeps the prefix that names its kind.
 */
const secrets: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\b(sr[apstu]_|whsec_)[\w+/=-]+/g, '$1…'],
  [/\b(Bearer|Basic)\s+\S+/gi, '$1 …'],
  [/\/\/[^\s/@]*@/g, '//…@'],
  [/\?[^\s?'")]+/g, '?…'],
  [/\+\d[\d ()./-]{5,}\d|\d{7,}/g, '…'],
]

/** Replaces secrets and phone numbers in the text of an error that nobody foresaw by `…`. */
export function redactText(text: string): string {
  return secrets.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text)
}
