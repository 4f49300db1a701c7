import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { parseIpv6Groups } from './ip-address.js'

/** What kind of address is not for everybody to call. */
export type AddressKind =
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'metadata'
  | 'multicast'
  | 'reserved'

/** Which addresses may be called. */
export interface AddressPolicy {
  /** Why an address is refused; undefined when it may be called. What is no address is `reserved`. */
  findRefusal(address: string): AddressKind | undefined
}

/** Options of {@link addressPolicy}. */
export interface AddressPolicyOptions {
  /** Whether loopback addresses may be called. @default false */
  readonly loopback?: boolean
  /** Ranges in CIDR form that may be called whatever is in them. */
  readonly allow?: readonly string[]
}

/** IANA's registries of special-purpose addresses (RFC 6890), shared address space (RFC 6598), and clouds' own. */
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

/** The only IPv6 addresses given to anybody so far (RFC 4291 section 2.4). */
const globalUnicast = parseCidrRanges(['2000::/3'])

const kinds = Object.entries(special).map(
  ([kind, ranges]) => [kind as AddressKind, parseCidrRanges(ranges)] as const,
)

/** Makes a policy that refuses every address that is not public, save what it is told. */
export function createAddressPolicy(options: AddressPolicyOptions = {}): AddressPolicy {
  const allowed = parseCidrRanges(options.allow ?? [])
  return {
    findRefusal(given) {
      const address = normalizeAddress(given)
      if (isInRanges(allowed, address)) return undefined
      const kind = findAddressKind(address)
      return kind === 'loopback' && options.loopback === true ? undefined : kind
    },
  }
}

/** Whether a text is a range in CIDR form with no bit set behind its prefix, such as `10.0.0.0/8` or `fd00::/8`. */
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

/** The address without its zone; an IPv4-mapped one as the IPv4 address that is called (RFC 4291 section 2.5.5.2). */
function normalizeAddress(address: string): string {
  const [text = ''] = address.split('%')
  if (!isIPv6(text)) return text
  const groups = parseIpv6Groups(text)
  const isMapped = groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff
  return isMapped ? formatIpv4(groups.slice(6)) : text
}

/** The IPv4 address that a translator (RFC 6052) or a 6to4 relay (RFC 3056) would call for an IPv6 address. */
function getEmbeddedIpv4(address: string): string | undefined {
  const groups = parseIpv6Groups(address)
  const isTranslated =
    groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every(group => group === 0)
  if (isTranslated) return formatIpv4(groups.slice(6))
  return groups[0] === 0x2002 ? formatIpv4(groups.slice(1, 3)) : undefined
}

function formatIpv4([high = 0, low = 0]: readonly number[]): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** One list for each family, because a list takes an IPv4 address for the IPv6 one that it is mapped to. */
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

/** An IPv4-mapped range would never be looked at, since such addresses count as IPv4. */
function getIpv6Bits(address: string): string {
  if (!isIPv6(address) || address !== normalizeAddress(address)) return ''
  return toBits(parseIpv6Groups(address), 16)
}

function toBits(parts: readonly number[], width: number): string {
  return parts.map(part => part.toString(2).padStart(width, '0')).join('')
}
