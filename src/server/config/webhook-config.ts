import { RelayError } from '../../errors.js'
import { isCidrRange } from '../../net/address-policy.js'
import { isLoopbackHost } from '../../net/ip-address.js'
import { requireInteger } from './require-integer.js'

export interface WebhookSettings {
  /**
   * Setting: ranges of addresses that webhooks can use although they are not public, such as
   * `10.0.0.0/8`. @default none; loopback while only this machine can reach the relay
   */
  readonly hookAllow?: readonly string[] | undefined
  /** Setting: subscriptions of an account; existing ones stay. @default 100 */
  readonly maxSubscriptions?: number | undefined
  /** Setting: webhooks in flight of all accounts; more of them wait. @default 512 */
  readonly maxWebhooks?: number | undefined
  /** Setting: webhooks in flight of one account to one host; more of them wait. @default 16 */
  readonly maxWebhooksPerHost?: number | undefined
  /**
   * Addresses of the DNS servers that resolve webhook addresses, with or without a port.
   * @default those of the system
   */
  readonly dnsServers?: readonly string[] | undefined
}

export interface WebhookConfig {
  readonly allow: readonly string[]
  /** Whether webhooks can use loopback addresses: only if only this machine can reach the relay. */
  readonly loopback: boolean
  readonly maxSubscriptions: number
  readonly inFlight: number
  readonly inFlightPerAccount: number
  readonly inFlightPerHost: number
  readonly dnsServers: readonly string[] | undefined
}

const maxLimit = 1_000_000

export function parseWebhookConfig(
  settings: WebhookSettings,
  relay: {
    readonly host: string
    readonly hasProxy: boolean
    readonly baseUrl: string | undefined
  },
): WebhookConfig {
  const { maxSubscriptions = 100, maxWebhooks = 512 } = settings
  const { maxWebhooksPerHost = 16, dnsServers } = settings
  return {
    allow: (settings.hookAllow ?? []).map(requireRange),
    loopback: isLoopbackHost(relay.host) && !relay.hasProxy && isOwnAddress(relay.baseUrl),
    maxSubscriptions: requireInteger('limit of subscriptions', maxSubscriptions, 0, maxLimit),
    inFlight: requireLimit('webhooks', maxWebhooks),
    inFlightPerAccount: Math.max(64, maxWebhooksPerHost),
    inFlightPerHost: requireLimit('webhooks per host', maxWebhooksPerHost),
    dnsServers,
  }
}

function requireLimit(name: string, value: number): number {
  return requireInteger(`limit of ${name}`, value, 1, maxLimit)
}

/** Setting `baseUrl`: behind a proxy, others can reach a relay that listens on loopback. */
function isOwnAddress(baseUrl: string | undefined): boolean {
  return baseUrl === undefined || isLoopbackHost(new URL(baseUrl).hostname)
}

function requireRange(text: string): string {
  if (isCidrRange(text)) return text
  throw new RelayError(
    'usage',
    `The range ${text} must be an address, a slash and the length of its prefix; ` +
      'the bits after the prefix must be 0.',
    { hint: 'Use a range such as 10.0.0.0/8, 192.168.1.7/32 or fd00::/8.' },
  )
}
