import { isIPv4, isIPv6 } from 'node:net'

/**
 * Returns whether a host means this machine alone: a loopback address, also mapped into IPv6 or in
 * the brackets of a URL, or a name that always resolves to one (RFC 6761 section 6.3).
 */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  const address = normalizeAddress(name)
  if (isIPv4(address)) return address.startsWith('127.')
  return isIPv6(address) && parseIpv6Groups(address).join(':') === '0:0:0:0:0:0:0:1'
}

/**
 * Returns the addresses that one subscriber usually has: an IPv4 address itself, or the /64 of an
 * IPv6 address. Returns other texts unchanged.
 */
export function getAddressBlock(address: string): string {
  const normalized = normalizeAddress(address)
  if (!isIPv6(normalized)) return normalized
  const prefix = parseIpv6Groups(normalized).slice(0, 4)
  return `${prefix.map(group => group.toString(16)).join(':')}::/64`
}

/**
 * Returns the address in an entry of X-Forwarded-For, to which some proxies add a port. Returns
 * undefined for other texts.
 */
export function parseForwardedAddress(entry: string): string | undefined {
  const text = entry.trim()
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? []
  const address = bracketed ?? (text.split(':').length === 2 ? text.split(':')[0] : text) ?? ''
  return isIPv4(address) || isIPv6(address) ? address : undefined
}

/**
 * Returns an address without its zone, and an IPv4-mapped one as the IPv4 address that is connected
 * to (RFC 4291 section 2.5.5.2). Other texts are returned without a zone.
 */
export function normalizeAddress(address: string): string {
  const text = removeZone(address)
  if (!isIPv6(text)) return text
  const groups = parseIpv6Groups(text)
  const isMapped = groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff
  return isMapped ? formatIpv4(groups.slice(6)) : text
}

/** Returns the eight groups of an IPv6 address, without its zone (RFC 4291 section 2.2). */
export function parseIpv6Groups(address: string): number[] {
  const [head = '', tail] = removeZone(address).split('::')
  const first = parseGroups(head)
  const last = parseGroups(tail ?? '')
  const missing = tail === undefined ? 0 : 8 - first.length - last.length
  return [...first, ...Array<number>(Math.max(0, missing)).fill(0), ...last]
}

export function formatIpv4([high = 0, low = 0]: readonly number[]): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function removeZone(address: string): string {
  return address.split('%')[0] ?? ''
}

function parseGroups(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap(part => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}
