import { isIP } from 'node:net'
import { RelayError } from '../../../errors.js'
import type { AddressKind, AddressPolicy } from '../../../net/address-policy.js'

/**
 * Refuses an address to hit whose host is an address that is not called, however it is written, or this machine by
 * name; what other names stand for is looked up at each hit. Throws `invalid_parameter`.
 */
export function assertAllowedAddress(url: string, policy: AddressPolicy | undefined): void {
  const { hostname } = new URL(url)
  const kind = policy === undefined ? undefined : findRefusedKind(hostname, policy)
  if (kind === undefined) return
  throw new RelayError(
    'invalid_parameter',
    `\`url\` must not be at a ${kind} address, and ${hostname} is; whoever runs the service can allow it with serve --hook-allow.`,
  )
}

function findRefusedKind(hostname: string, policy: AddressPolicy): AddressKind | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0) return policy.findRefusal(host)
  if (!/(?:^|\.)localhost\.?$/.test(host)) return undefined
  const kinds = ['127.0.0.1', '::1'].map(address => policy.findRefusal(address))
  return kinds.includes(undefined) ? undefined : kinds[0]
}
