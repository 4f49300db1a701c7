import { boolean, string } from '@oclif/core/flags'
import type { EventName } from '../../domain/webhook/event.js'
import { parseInteger } from '../terminal/parse-values.js'

export const webhookFlags = defineWebhookFlags('POST', 'no')

/**
 * Flags of `hook` commands for a webhook's HTTP request; the parameters are the defaults in help.
 */
export function defineWebhookFlags(method: string, post: string) {
  const description = 'Send the data as a JSON body; --no-post: in the query string.'
  return {
    method: string({
      description: 'HTTP method of the webhook.',
      defaultHelp: async () => method,
      helpValue: 'TOKEN',
    }),
    post: boolean({ description: `${description} [default: ${post}]`, allowNo: true }),
  }
}

/** The --on-exhausted flag of `hook` commands; the parameter is the default in help. */
export function defineExhaustedFlag(choice: string) {
  return {
    'on-exhausted': string({
      description: 'After 72 hours of failures, pause or skip the event.',
      defaultHelp: async () => choice,
      helpValue: 'pause|skip',
      options: ['pause', 'skip'],
    }),
  }
}

export function toExhaustedFields(flags: { readonly 'on-exhausted'?: string | undefined }): {
  on_exhausted?: 'pause' | 'skip'
} {
  const choice = flags['on-exhausted']
  return choice === undefined ? {} : { on_exhausted: choice === 'skip' ? 'skip' : 'pause' }
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

/** Parses the sequence of an event from the flag or argument `name`. Throws `usage`. */
export function parseSequence(name: string, text: string): number {
  return parseInteger(name, text, 1, 1e15 - 1)
}
