import { limits } from '../../../domain/limits.js'
import { eventNames } from '../../../domain/webhook/event.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import { Select, TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { type FieldErrors, pickFilledFields } from '../page/field-errors.js'
import { getField, type PageRequest } from '../page/page.js'
import { maskUrl } from './masked-url.js'

export type SubscriptionFormInput = Readonly<Record<string, string>>

const fieldNames = ['event', 'url', 'method', 'post', 'on_exhausted']

export const emptySubscription: SubscriptionFormInput = { method: 'POST', post: 'true' }

export function parseSubscriptionForm(request: PageRequest): SubscriptionFormInput {
  return Object.fromEntries(fieldNames.map(name => [name, getField(request, name).trim()]))
}

export function omitEmptyFields(form: SubscriptionFormInput): Readonly<Record<string, string>> {
  return pickFilledFields(form, fieldNames)
}

export function toSubscriptionForm(subscription: Subscription): SubscriptionFormInput {
  const { event, url, method, post, onExhausted = 'pause' } = subscription
  return { event, url: maskUrl(url), method, post: String(post), on_exhausted: onExhausted }
}

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
      <TextField
        label="URL"
        {...input('url')}
        required
        placeholder="https://"
        hint={`http:// or https://, at most ${limits.url} characters; can contain a login.`}
      />
      <div class="columns">
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
          label="If deliveries fail for 72 hours"
          {...input('on_exhausted')}
          options={[
            ['pause', 'pause and retain the event'],
            ['skip', 'skip the event'],
          ]}
        />
      </div>
    </>
  )
}
