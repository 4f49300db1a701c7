import { isIP } from 'node:net'
import { RelayError } from '../../../errors.js'
import type { AddressKind, AddressPolicy } from '../../../net/address-policy.js'

/**
 * For the service of subscriptions: checks the host of a webhook's URL if it is an address, however
 * it is written, or `localhost`; the addresses of other names are checked at each webhook. Throws
 * `invalid_parameter`.
 */
export function assertAllowedAddress(url: string, policy: AddressPolicy | undefined): void {
  const { hostname } = new URL(url)
  const kind = policy === undefined ? undefined : findRefusedKind(hostname, policy)
  if (kind === undefined) return
  throw new RelayError(
    'invalid_parameter',
    `\`url\` must not use a ${kind} address, such as ${hostname}; ` +
      'the operator of the relay can allow it with serve --hook-allow.',
  )
}

function findRefusedKind(hostname: string, policy: AddressPolicy): AddressKind | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0) return policy.findRefusal(host)
  if (!/(?:^|\.)localhost\.?$/.test(host)) return undefined
  const kinds = ['127.0.0.1', '::1'].map(address => policy.findRefusal(address))
  return kinds.includes(undefined) ? undefined : kinds[0]
}
