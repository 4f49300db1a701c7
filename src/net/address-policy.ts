// Which addresses webhooks may be sent to: by default only public ones.
//
// 1. normalizeAddress (ip-address.ts) removes the zone and turns a mapped address into IPv4.
// 2. An address in a range of the option `allow` is allowed.
// 3. An address in one of the special ranges has its kind, also inside a translated IPv6 address.
// 4. Of the other IPv6 addresses only assigned ones are public.
//
// client/guarded-agent.ts applies the policy to each connection, after the name lookup, so that a
// name cannot resolve to another address between the check and the connection.
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { formatIpv4, normalizeAddress, parseIpv6Groups } from './ip-address.js'

/** The kind of an IP address that is not public. */
export type AddressKind =
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'metadata'
  | 'multicast'
  | 'reserved'

export interface AddressPolicy {
  /** Returns why an IP address is refused, undefined if allowed. Other texts are `reserved`. */
  findRefusal(address: string): AddressKind | undefined
}

export interface AddressPolicyOptions {
  /** Whether the address policy allows loopback addresses. @default false */
  readonly loopback?: boolean
  /** IP ranges of any kind that the address policy allows, in CIDR form. */
  readonly allow?: readonly string[]
}

/**
 * IANA's registries of special-purpose addresses (RFC 6890), shared address space (RFC 6598), and
 * the metadata services of clouds.
 */
const special: Readonly<Record<AddressKind, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'],
  'link-local': ['169.254.0.0/16', 'fe80::/10', 'fec0::/10'],
  metadata: ['168.63.129.16/32'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  reserved: [
    ...['0.0.0.0/8', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15'],
    ...['198.51.100.0/24', '203.0.113.0/24', '240.0.0.0/4'],
    ...['2001::/23', '2001:db8::/32', '3fff::/20'],
  ],
}

/** All IPv6 addresses that are assigned so far (RFC 4291 section 2.4). */
const globalUnicast = parseCidrRanges(['2000::/3'])

const kinds = Object.entries(special).map(
  ([kind, ranges]) => [kind as AddressKind, parseCidrRanges(ranges)] as const,
)

/** Creates a policy that refuses every IP address that is not public, except as the options say. */
export function createAddressPolicy(options: AddressPolicyOptions = {}): AddressPolicy {
  const allowed = parseCidrRanges(options.allow ?? [])
  return {
    findRefusal(text) {
      const address = normalizeAddress(text)
      if (isInRanges(allowed, address)) return undefined
      const kind = findAddressKind(address)
      return kind === 'loopback' && options.loopback === true ? undefined : kind
    },
  }
}

/**
 * Whether a text is a range of IP addresses in CIDR form, such as `10.0.0.0/8`, without host bits.
 */
export function isCidrRange(text: string): boolean {
  const [, address = '', digits = ''] = /^([^/%]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? []
  const prefix = Number(digits)
  const bits = isIPv4(address) ? toBits(address.split('.').map(Number), 8) : getIpv6Bits(address)
  return bits !== '' && prefix <= bits.length && !bits.slice(prefix).includes('1')
}

function findAddressKind(address: string): AddressKind | undefined {
  for (const [kind, list] of kinds) if (isInRanges(list, address)) return kind
  if (isIPv4(address)) return undefined
  const inside = getEmbeddedIpv4(address)
  if (inside !== undefined) return findAddressKind(inside)
  return isInRanges(globalUnicast, address) ? undefined : 'reserved'
}

/** The IPv4 address that a translator (RFC 6052) or 6to4 relay (RFC 3056) connects to. */
function getEmbeddedIpv4(address: string): string | undefined {
  const groups = parseIpv6Groups(address)
  const isTranslated =
    groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every(group => group === 0)
  if (isTranslated) return formatIpv4(groups.slice(6))
  return groups[0] === 0x2002 ? formatIpv4(groups.slice(1, 3)) : undefined
}

/** IP ranges, one list for each family: a BlockList treats IPv4 addresses as mapped IPv6 ones. */
interface AddressRanges {
  readonly ipv4: BlockList
  readonly ipv6: BlockList
}

function isInRanges({ ipv4, ipv6 }: AddressRanges, address: string): boolean {
  if (isIPv4(address)) return ipv4.check(address, 'ipv4')
  return isIPv6(address) && ipv6.check(address, 'ipv6')
}

function parseCidrRanges(texts: readonly string[]): AddressRanges {
  const ranges = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const text of texts) {
    const [address = '', prefix] = text.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    ranges[family].addSubnet(address, Number(prefix), family)
  }
  return ranges
}

/**
 * The bits of an IPv6 range; empty for an IPv4-mapped one, which never matches: it counts as IPv4.
 */
function getIpv6Bits(address: string): string {
  if (!isIPv6(address) || address !== normalizeAddress(address)) return ''
  return toBits(parseIpv6Groups(address), 16)
}

function toBits(parts: readonly number[], width: number): string {
  return parts.map(part => part.toString(2).padStart(width, '0')).join('')
}
