/** Parts of the relay's paths: what follows, or the query, is a secret that no proxy logs. */
export const secretPaths = ['/u/', '/invitation/', '/oauth/revoke'] as const

/** What the relay's keys, tokens and secrets begin with. */
export const secretPrefixes = [
  ...['srs_', 'sra_', 'srp_', 'srt_', 'sru_', 'sri_'],
  'whsec_',
] as const

const path = secretPaths.filter(each => each.endsWith('/')).join('|')

/**
 * What looks like a key, a token, a secret path, credentials, a query or a number, each with its
 * replacement. A key keeps the prefix that names its kind. A password can have an `@`.
 */
const secrets: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [new RegExp(String.raw`(?<![a-z\d])(${secretPrefixes.join('|')})[\w+/=-]+`, 'gi'), '$1…'],
  [new RegExp(String.raw`(${path})[^\s/?#'"()]+`, 'gi'), '$1…'],
  [/\b(Bearer|Basic)\s+\S+/gi, '$1 …'],
  [/\/\/[^\s"]*@/g, '//…@'],
  [/\?[^\s?'")]+/g, '?…'],
  [/\+\d[\d ()./-]{5,}\d|\d{7,}/g, '…'],
]

/** Replaces secrets and phone numbers in the text of an error that nobody foresaw by `…`. */
export function redactText(text: string): string {
  return secrets.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text)
}
