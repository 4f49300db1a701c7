import { string } from '@oclif/core/flags'
import { integer } from './integer-flag.js'

const helpGroup = 'WEBHOOKS'

export const webhookFlags = {
  'hook-allow': string({
    description: 'Private range that may receive webhooks; can be repeated.',
    defaultHelp: async () => 'none, or loopback if the relay is local',
    env: 'SMSRELAY_HOOK_ALLOW',
    helpValue: 'CIDR',
    helpGroup,
    multiple: true,
    multipleNonGreedy: true,
  }),
  'max-subscriptions': integer({
    description: 'Subscriptions of an account.',
    env: 'SMSRELAY_MAX_SUBSCRIPTIONS',
    helpValue: 'COUNT',
    helpGroup,
    default: 100,
  }),
  'max-webhooks': integer({
    description: 'Webhooks in flight of all accounts; more of them wait.',
    env: 'SMSRELAY_MAX_WEBHOOKS',
    helpValue: 'COUNT',
    helpGroup,
    default: 512,
  }),
  'max-webhooks-per-account': integer({
    description: 'Webhooks in flight of an account.',
    env: 'SMSRELAY_MAX_WEBHOOKS_PER_ACCOUNT',
    helpValue: 'COUNT',
    helpGroup,
    default: 64,
  }),
  'max-webhooks-per-host': integer({
    description: 'Webhooks in flight of an account to one host.',
    env: 'SMSRELAY_MAX_WEBHOOKS_PER_HOST',
    helpValue: 'COUNT',
    helpGroup,
    default: 16,
  }),
  'delivery-log': string({
    description: 'Age and size of the log of deliveries; the oldest entries are deleted first.',
    env: 'SMSRELAY_DELIVERY_LOG',
    helpValue: 'TIME,SIZE',
    helpGroup,
    default: '30d,1GiB',
  }),
  'max-lookups-per-account': integer({
    description: 'Look-ups of host names in progress of an account.',
    env: 'SMSRELAY_MAX_LOOKUPS_PER_ACCOUNT',
    helpValue: 'COUNT',
    helpGroup,
    default: 16,
  }),
  'dns-server': string({
    description: 'DNS server for webhook addresses; can be repeated.',
    defaultHelp: async () => 'those of the system',
    env: 'SMSRELAY_DNS_SERVER',
    helpValue: 'ADDRESS',
    helpGroup,
    multiple: true,
    multipleNonGreedy: true,
  }),
}

export function toWebhookSettings(flags: {
  readonly 'hook-allow'?: string | readonly string[] | undefined
  readonly 'max-subscriptions'?: number
  readonly 'max-webhooks'?: number
  readonly 'max-webhooks-per-account'?: number
  readonly 'max-webhooks-per-host'?: number
  readonly 'delivery-log'?: string
  readonly 'max-lookups-per-account'?: number
  readonly 'dns-server'?: string | readonly string[] | undefined
}) {
  return {
    hookAllow: parseList(flags['hook-allow']),
    maxSubscriptions: flags['max-subscriptions'],
    maxWebhooks: flags['max-webhooks'],
    maxWebhooksPerAccount: flags['max-webhooks-per-account'],
    maxWebhooksPerHost: flags['max-webhooks-per-host'],
    deliveryLog: flags['delivery-log'],
    maxLookupsPerAccount: flags['max-lookups-per-account'],
    dnsServers: parseList(flags['dns-server']),
  }
}

/** A command's repeated flags are a list, but the environment variable is one text with commas. */
function parseList(value: string | readonly string[] | undefined): string[] {
  const texts = [value ?? []].flat().flatMap(text => text.split(','))
  return texts.map(text => text.trim()).filter(text => text !== '')
}
