/// <reference path="./proxy-addr.d.ts" />
import { compile } from 'proxy-addr'
import { RelayError } from '../errors.js'
import type { TrustProxy } from '../net/server/forwarded-client.js'

/** Proxies in front of a relay, at most. */
const maxHops = 10

/**
 * Parses how many proxies are in front of the relay (`true`: one), or their addresses, as Express
 * does for `trust proxy`. Undefined: no proxy is trusted. Throws `usage`.
 */
export function parseTrustProxy(
  setting: boolean | number | string | undefined,
): TrustProxy | undefined {
  const text = String(setting ?? false)
    .trim()
    .toLowerCase()
  if (/^(?:false|no|n|0|)$/.test(text)) return undefined
  if (/^(?:true|yes|y)$/.test(text)) return (_, hop) => hop < 1
  if (/^\d+$/.test(text) && Number(text) <= maxHops) return (_, hop) => hop < Number(text)
  const isTrusted = compileAddresses(text)
  // The other end of a Unix socket has no address; who may connect, the socket's mode decides.
  return (address, hop) => (hop === 0 && address === '') || isTrusted(address, hop)
}

function compileAddresses(text: string): TrustProxy {
  const addresses = text.split(',').map(each => each.trim())
  try {
    if (/^[-\d]+$/.test(text)) throw new TypeError('This is no number of proxies.')
    return compile(addresses)
  } catch (cause) {
    throw new RelayError('usage', `The trusted proxies "${text}" are invalid.`, {
      hint:
        `Give the number of proxies in front of the relay, 1 to ${maxHops}, or their addresses: ` +
        'a list such as 10.0.0.0/8, 2001:db8::/32, loopback, linklocal, uniquelocal.',
      cause,
    })
  }
}
