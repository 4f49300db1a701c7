import { integer } from './integer-flag.js'

export const connectionFlags = {
  'max-connections': integer({
    description: 'HTTP connections at once; more get 503.',
    env: 'SMSRELAY_MAX_CONNECTIONS',
    helpValue: 'COUNT',
    default: 10_000,
  }),
  'max-connections-per-address': integer({
    description: 'HTTP connections of one address; with --trust-proxy, its requests in progress.',
    env: 'SMSRELAY_MAX_CONNECTIONS_PER_ADDRESS',
    helpValue: 'COUNT',
    default: 1000,
  }),
  'drain-delay': integer({
    description: 'Time from a stop signal until requests are refused, for a balancer to notice.',
    env: 'SMSRELAY_DRAIN_DELAY',
    helpValue: 'SECONDS',
    default: 0,
  }),
}

export function toConnectionSettings(flags: {
  readonly 'max-connections'?: number
  readonly 'max-connections-per-address'?: number
  readonly 'drain-delay'?: number
}) {
  return {
    drainDelay: flags['drain-delay'],
    maxConnections: flags['max-connections'],
    maxConnectionsPerAddress: flags['max-connections-per-address'],
  }
}
