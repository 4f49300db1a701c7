import { isIPv4, isIPv6 } from 'node:net'

/**
 * The addresses that one subscriber has at hand: an IPv4 address alone, an IPv6 address with its /64, since whoever
 * has one of those has them all. Another text is given back as it is.
 */
export function getAddressBlock(address: string): string {
  if (!isIPv6(address)) return address
  const groups = parseIpv6Groups(address)
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const prefix = groups.slice(0, 4).map(group => group.toString(16))
  return `${prefix.join(':')}::/64`
}

/** The address in an entry of X-Forwarded-For, which some proxies give a port; undefined when there is none. */
export function parseForwardedAddress(entry: string): string | undefined {
  const text = entry.trim()
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? []
  const address = bracketed ?? (text.split(':').length === 2 ? text.split(':')[0] : text) ?? ''
  return isIPv4(address) || isIPv6(address) ? address : undefined
}

/** The eight groups of an IPv6 address, without its zone (RFC 4291 section 2.2). */
export function parseIpv6Groups(address: string): number[] {
  const [head = '', tail] = removeZone(address).split('::')
  const first = parseGroups(head)
  const last = parseGroups(tail ?? '')
  const missing = tail === undefined ? 0 : 8 - first.length - last.length
  return [...first, ...Array<number>(Math.max(0, missing)).fill(0), ...last]
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
