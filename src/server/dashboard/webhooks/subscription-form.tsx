import { limits } from '../../../domain/limits.js'
import { eventNames } from '../../../domain/webhook/event.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import { formatCount } from '../../../util/text/plural.js'
import { Beside, Select, TextArea, TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { type FieldErrors, pickFilledFields } from '../page/field-errors.js'
import { getField, type PageRequest } from '../page/page.js'
import { mask, maskUrl } from './masked-url.js'

export type SubscriptionFormInput = Readonly<Record<string, string>>

const fieldNames = [
  ...['event', 'url', 'method', 'post', 'headers'],
  ...['on_exhausted', 'window', 'retry_schedule'],
]

export const emptySubscription: SubscriptionFormInput = {
  method: 'POST',
  post: 'true',
  window: '1',
}

export function parseSubscriptionForm(request: PageRequest): SubscriptionFormInput {
  return Object.fromEntries(fieldNames.map(name => [name, getField(request, name).trim()]))
}

export function omitEmptyFields(form: SubscriptionFormInput): Readonly<Record<string, string>> {
  return pickFilledFields(form, fieldNames)
}

export function toSubscriptionForm(subscription: Subscription): SubscriptionFormInput {
  const { event, url, method, post, onExhausted = 'pause', window = 1 } = subscription
  const names = Object.keys(subscription.headers ?? {})
  return {
    event,
    url: maskUrl(url),
    method,
    post: String(post),
    headers: names.map(name => `${name}: ${mask}`).join('\n'),
    on_exhausted: onExhausted,
    window: String(window),
    retry_schedule: formatRetrySchedule(subscription),
  }
}

/** Masks the values of the lines of a subscription's form. */
export function maskHeaders(lines = ''): string {
  return lines.replace(/^([^:\n]*:).*$/gm, `$1 ${mask}`)
}

/**
 * Converts the lines `Name: value` of a subscription's form to JSON. A masked value stays as it is;
 * a field of `stored` without a line is removed.
 */
export function toHeadersField(form: SubscriptionFormInput, stored: Subscription['headers'] = {}) {
  const lines = (form.headers ?? '').split('\n').filter(line => line.trim() !== '')
  const fields = lines.map(line => {
    const [name = '', ...rest] = line.split(':')
    return [name.trim(), rest.join(':').trim()] as const
  })
  const given = new Set(fields.map(([name]) => name.toLowerCase()))
  const removed = Object.keys(stored).filter(name => !given.has(name.toLowerCase()))
  const headers = Object.fromEntries([
    ...removed.map(name => [name, null] as const),
    ...fields.filter(([, value]) => value !== mask),
  ])
  return Object.keys(headers).length === 0 ? {} : { headers: JSON.stringify(headers) }
}

function formatRetrySchedule({ schedule = [] }: Subscription): string {
  return schedule.map(delay => delay / 1000).join(', ')
}

export function formatRetries(subscription: Subscription): string {
  const delays = formatRetrySchedule(subscription)
  return delays === '' ? 'for 72 hours' : `after ${delays} seconds`
}

interface FieldInput {
  readonly name: string
  readonly value: string
  readonly error: string | undefined
}

const maxUrlText = formatCount(limits.url)
const urlHint = `http:// or https://, at most ${maxUrlText} characters; can contain a login.`

/** Form fields of a subscription. Its event cannot be changed. */
export function SubscriptionFields(props: {
  readonly form: SubscriptionFormInput
  readonly errors: FieldErrors | undefined
  readonly isNew: boolean
}): Html {
  const { form, errors, isNew } = props
  const input = (name: string) => ({ name, value: form[name] ?? '', error: errors?.[name] })
  return (
    <>
      {isNew && <Select label="Event" {...input('event')} options={eventNames} />}
      <TextField label="URL" {...input('url')} required placeholder="https://" hint={urlHint} />
      <Beside>
        <TextField label="Method" {...input('method')} hint="POST or another method." />
        <Select
          label="Send the event"
          {...input('post')}
          options={[
            ['true', 'in the body, as JSON'],
            ['false', 'in the query of the URL'],
          ]}
        />
        <Select
          label="After the last retry of an event"
          {...input('on_exhausted')}
          options={[
            ['pause', 'pause and retain the event'],
            ['skip', 'skip the event'],
          ]}
        />
      </Beside>
      <TextArea
        label="Header fields"
        {...input('headers')}
        rows={2}
        hint="One on each line, such as Authorization: Bearer SECRET. Nobody can see the values."
      />
      <DeliveryFields input={input} />
    </>
  )
}

function DeliveryFields({ input }: { readonly input: (name: string) => FieldInput }): Html {
  return (
    <Beside>
      <TextField
        label="Webhooks in flight"
        {...input('window')}
        inputmode="numeric"
        hint={`1 to ${limits.window}. With 1 they arrive in order.`}
      />
      <TextField
        label="Seconds before each retry"
        {...input('retry_schedule')}
        hint="Such as 5, 60, 600. Empty: after 1 s, 5 s, 30 s and so on, for 72 hours."
      />
    </Beside>
  )
}
