import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { groupsOf } from './ip-address.js'

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
  refusal(address: string): AddressKind | undefined
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
const globalUnicast = rangesOf(['2000::/3'])

const kinds = Object.entries(special).map(
  ([kind, ranges]) => [kind as AddressKind, rangesOf(ranges)] as const,
)

/** Makes a policy that refuses every address that is not public, save what it is told. */
export function addressPolicy(options: AddressPolicyOptions = {}): AddressPolicy {
  const allowed = rangesOf(options.allow ?? [])
  return {
    refusal(given) {
      const address = plain(given)
      if (contains(allowed, address)) return undefined
      const kind = kindOf(address)
      return kind === 'loopback' && options.loopback === true ? undefined : kind
    },
  }
}

/** Whether a text is a range in CIDR form with no bit set behind its prefix, such as `10.0.0.0/8` or `fd00::/8`. */
export function isRange(text: string): boolean {
  const [, address = '', digits = ''] = /^([^/%]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? []
  const prefix = Number(digits)
  const bits = isIPv4(address) ? bitsOf(address.split('.').map(Number), 8) : bitsOfIPv6(address)
  return bits !== '' && prefix <= bits.length && !bits.slice(prefix).includes('1')
}

function kindOf(address: string): AddressKind | undefined {
  for (const [kind, list] of kinds) if (contains(list, address)) return kind
  if (isIPv4(address)) return undefined
  const inside = embedded(address)
  if (inside !== undefined) return kindOf(inside)
  return contains(globalUnicast, address) ? undefined : 'reserved'
}

/** The address without its zone; an IPv4-mapped one as the IPv4 address that is called (RFC 4291 section 2.5.5.2). */
function plain(address: string): string {
  const [text = ''] = address.split('%')
  if (!isIPv6(text)) return text
  const groups = groupsOf(text)
  const isMapped = groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff
  return isMapped ? dotted(groups.slice(6)) : text
}

/** The IPv4 address that a translator (RFC 6052) or a 6to4 relay (RFC 3056) would call for an IPv6 address. */
function embedded(address: string): string | undefined {
  const groups = groupsOf(address)
  const isTranslated =
    groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every(group => group === 0)
  if (isTranslated) return dotted(groups.slice(6))
  return groups[0] === 0x2002 ? dotted(groups.slice(1, 3)) : undefined
}

function dotted([high = 0, low = 0]: readonly number[]): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** One list for each family, because a list takes an IPv4 address for the IPv6 one that it is mapped to. */
interface Ranges {
  readonly ipv4: BlockList
  readonly ipv6: BlockList
}

function contains({ ipv4, ipv6 }: Ranges, address: string): boolean {
  if (isIPv4(address)) return ipv4.check(address, 'ipv4')
  return isIPv6(address) && ipv6.check(address, 'ipv6')
}

function rangesOf(texts: readonly string[]): Ranges {
  const ranges = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const text of texts) {
    const [address = '', prefix] = text.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    ranges[family].addSubnet(address, Number(prefix), family)
  }
  return ranges
}

/** An IPv4-mapped range would never be looked at, since such addresses count as IPv4. */
function bitsOfIPv6(address: string): string {
  if (!isIPv6(address) || address !== plain(address)) return ''
  return bitsOf(groupsOf(address), 16)
}

function bitsOf(parts: readonly number[], width: number): string {
  return parts.map(part => part.toString(2).padStart(width, '0')).join('')
}
