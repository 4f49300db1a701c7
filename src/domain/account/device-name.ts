/** Browsers by what their user agents have, the more specific ones first. */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPT|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//],
  ['Safari', /\bVersion\/[\d.]+ .*\bSafari\//],
] as const

const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b|\bX11\b/],
] as const

/**
 * Describes the device of a session in a few words, such as "Firefox on Windows", by the field
 * User-Agent (RFC 9110, section 10.1.5); for a program, such as curl, its name.
 */
export function describeDevice(userAgent: string): string {
  const find = (names: readonly (readonly [string, RegExp])[]): string | undefined =>
    names.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const system = find(systems)
  const browser = find(browsers)
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`
  const [program] = /^[\w.-]{1,40}(?=\/|$)/.exec(userAgent) ?? []
  if (program !== undefined && program !== 'Mozilla') return program
  return system === undefined ? 'Unknown device' : `A browser on ${system}`
}
