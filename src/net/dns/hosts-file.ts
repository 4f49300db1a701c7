import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'

/** The addresses of each name in a hosts file; names in lower case. */
export type HostsFile = ReadonlyMap<string, readonly LookupAddress[]>

/** Parses the lines of a hosts file: an address, then its names; a comment begins with `#`. */
export function parseHostsFile(text: string): HostsFile {
  const hosts = new Map<string, LookupAddress[]>()
  for (const line of text.split(/\r?\n/)) {
    const [address = '', ...names] = line.replace(/#.*$/, '').trim().split(/\s+/)
    const family = isIP(address)
    if (family === 0) continue
    for (const name of names.map(each => each.toLowerCase())) {
      const addresses = hosts.get(name) ?? []
      hosts.set(name, addresses)
      if (!addresses.some(known => known.address === address)) addresses.push({ address, family })
    }
  }
  return hosts
}
