const atom = String.raw`[^\s\p{C}()<>[\]:;@\\,".]+`
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?`
const pattern = new RegExp(`^${atom}(?:\\.${atom})*@${label}(?:\\.${label})*$`, 'u')

/**
 * Whether a text is one e-mail address of the form dot-atom (RFC 5322, RFC 6532), of at most 254
 * characters. Mail programs would read other addresses in one with quotes, commas or brackets.
 */
export function isEmailAddress(text: string): boolean {
  return text.length <= 254 && pattern.test(text)
}
