import { boolean, string } from '@oclif/core/flags'

/** How a hit is made: flags that creating, editing and listening share. */
export const webhookFlags = {
  method: string({
    description: 'HTTP method of the hit, any token. [default: POST]',
    helpValue: 'TOKEN',
  }),
  post: boolean({
    description: 'Data as a JSON body; --no-post: in the query string. [default: no]',
    allowNo: true,
  }),
}

/** What becomes of an event whose retries are used up: a flag that creating and editing share. */
export const exhaustedFlag = {
  'on-exhausted': string({
    description:
      'After 72 hours of failed hits: pause (nothing is dropped), or skip the event. [default: pause]',
    helpValue: 'pause|skip',
    options: ['pause', 'skip'],
  }),
}

/** The part of a subscription that flag names. */
export function toExhaustedFields(flags: { readonly 'on-exhausted'?: string | undefined }): {
  on_exhausted?: 'pause' | 'skip'
} {
  const choice = flags['on-exhausted']
  return choice === undefined ? {} : { on_exhausted: choice === 'skip' ? 'skip' : 'pause' }
}

/** The part of a subscription these flags name. */
export function toWebhookFields(flags: {
  readonly method?: string | undefined
  readonly post?: boolean | undefined
}): { method?: string; post?: boolean } {
  return {
    ...(flags.method === undefined ? {} : { method: flags.method }),
    ...(flags.post === undefined ? {} : { post: flags.post }),
  }
}
