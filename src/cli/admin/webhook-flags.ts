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
  'max-webhooks-per-host': integer({
    description: 'Webhooks in flight of an account to one host.',
    env: 'SMSRELAY_MAX_WEBHOOKS_PER_HOST',
    helpValue: 'COUNT',
    helpGroup,
    default: 16,
  }),
}

export function toWebhookSettings(flags: {
  readonly 'hook-allow'?: string | readonly string[] | undefined
  readonly 'max-subscriptions'?: number
  readonly 'max-webhooks'?: number
  readonly 'max-webhooks-per-host'?: number
}) {
  return {
    hookAllow: parseList(flags['hook-allow']),
    maxSubscriptions: flags['max-subscriptions'],
    maxWebhooks: flags['max-webhooks'],
    maxWebhooksPerHost: flags['max-webhooks-per-host'],
  }
}

/** A command's repeated flags are a list, but the environment variable is one text with commas. */
function parseList(value: string | readonly string[] | undefined): string[] {
  const texts = [value ?? []].flat().flatMap(text => text.split(','))
  return texts.map(text => text.trim()).filter(text => text !== '')
}
