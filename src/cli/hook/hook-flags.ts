import { boolean, string } from '@oclif/core/flags'
import type { SubscriptionCreate } from '../../contract/subscription-schema.js'
import { limits } from '../../domain/limits.js'
import type { EventName } from '../../domain/webhook/event.js'
import { RelayError } from '../../errors.js'
import { parseDuration, parseInteger } from '../terminal/parse-values.js'

export const webhookFlags = defineWebhookFlags('POST', 'no')

/**
 * Flags of `hook` commands for a webhook's HTTP request; the parameters are the defaults in help.
 */
export function defineWebhookFlags(method: string, post: string) {
  const description = 'Send the data as a JSON body; --no-post: in the query string.'
  return {
    method: string({
      description: 'HTTP method of the webhook.',
      env: 'SMSRELAY_METHOD',
      defaultHelp: async () => method,
      helpValue: 'TOKEN',
    }),
    post: boolean({
      description: `${description} [default: ${post}]`,
      env: 'SMSRELAY_POST',
      allowNo: true,
    }),
  }
}

/** `Name: value`; the parameter says what else a `hook` command does with the flag. */
export function defineHeaderFlag(more = '') {
  return {
    header: string({
      description: `Header field of each webhook, such as "Authorization: Bearer SECRET".${more}`,
      env: 'SMSRELAY_HOOK_HEADER',
      helpValue: 'FIELD',
      multiple: true,
      multipleNonGreedy: true,
    }),
  }
}

/** Parses the flags of a `hook` command; a field without a value is to be removed. */
export function toHeaderFields(texts: readonly string[] = []): {
  headers?: Record<string, string | null>
} {
  const headers: Record<string, string | null> = {}
  for (const text of texts) {
    const [, name = '', value = ''] = /^([^:]+):(.*)$/s.exec(text) ?? []
    // The text can be a secret.
    if (name === '') {
      throw new RelayError('usage', 'The value of --header has no name and colon.', {
        hint: 'Write it such as --header "Authorization: Bearer SECRET".',
      })
    }
    headers[name.trim()] = value.trim() === '' ? null : value.trim()
  }
  return texts.length === 0 ? {} : { headers }
}

/** Flags of `hook` commands for how webhooks are sent; the parameters are the defaults in help. */
export function defineDeliveryFlags(choice: string, window: string, schedule: string) {
  return {
    window: string({
      description: 'Webhooks that may be in flight at once; above 1 they can arrive out of order.',
      env: 'SMSRELAY_HOOK_WINDOW',
      defaultHelp: async () => window,
      helpValue: '1-32',
    }),
    'retry-schedule': string({
      description: 'Delays before each retry of an event, for example 5s,1m,10m; or `default`.',
      env: 'SMSRELAY_RETRY_SCHEDULE',
      defaultHelp: async () => schedule,
      helpValue: 'DELAYS',
    }),
    'on-exhausted': string({
      description: 'After 72 hours of failures, pause or skip the event.',
      env: 'SMSRELAY_ON_EXHAUSTED',
      defaultHelp: async () => choice,
      helpValue: 'pause|skip',
      options: ['pause', 'skip'],
    }),
  }
}

export function toDeliveryFields(flags: {
  readonly 'on-exhausted'?: string | undefined
  readonly window?: string | undefined
  readonly 'retry-schedule'?: string | undefined
}): Partial<Pick<SubscriptionCreate, 'on_exhausted' | 'window' | 'retry_schedule'>> {
  const { window, 'on-exhausted': choice, 'retry-schedule': schedule } = flags
  return {
    ...(choice === undefined ? {} : { on_exhausted: choice === 'skip' ? 'skip' : 'pause' }),
    ...(window === undefined ? {} : { window: parseInteger('--window', window, 1, limits.window) }),
    ...(schedule === undefined ? {} : { retry_schedule: parseRetrySchedule(schedule) }),
  }
}

function parseRetrySchedule(text: string): number[] | null {
  if (text === 'default') return null
  return text.split(',').map(delay => parseDuration('--retry-schedule', delay.trim()) / 1000)
}

export function toWebhookFields(flags: {
  readonly method?: string | undefined
  readonly post?: boolean | undefined
}): { method?: string; post?: boolean } {
  return {
    ...(flags.method === undefined ? {} : { method: flags.method }),
    ...(flags.post === undefined ? {} : { post: flags.post }),
  }
}

/**
 * Parses an event name of a `hook` command: any name, because a newer relay may have more events.
 */
export function toEventName(name: string): EventName {
  return name as EventName
}

/**
 * Parses an event's sequence for a `hook` command, from the flag or argument `name`. Throws
 * `usage`.
 */
export function parseSequence(name: string, text: string): number {
  return parseInteger(name, text, 1, 1e15 - 1)
}
