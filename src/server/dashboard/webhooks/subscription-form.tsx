import { limits } from '../../../domain/limits.js'
import { eventNames } from '../../../domain/webhook/event.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import { Select, TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { type FieldErrors, pickFilledFields } from '../page/field-errors.js'
import { getField, type PageRequest } from '../page/page.js'
import { maskUrl } from './masked-url.js'

/** The form of a subscription as it was typed, by the names of the interface. */
export type SubscriptionFormInput = Readonly<Record<string, string>>

const fieldNames = ['event', 'url', 'method', 'post', 'on_exhausted']

/** A form as it comes first. */
export const emptySubscription: SubscriptionFormInput = { method: 'POST', post: 'true' }

/** Reads the form as it was sent. */
export function parseSubscriptionForm(request: PageRequest): SubscriptionFormInput {
  return Object.fromEntries(fieldNames.map(name => [name, getField(request, name).trim()]))
}

/** What of it is for the interface: without what was left empty. */
export function omitEmptyFields(typed: SubscriptionFormInput): Readonly<Record<string, string>> {
  return pickFilledFields(typed, fieldNames)
}

/** The form of a subscription that is there. */
export function toSubscriptionForm(subscription: Subscription): SubscriptionFormInput {
  const { event, url, method, post, onExhausted = 'pause' } = subscription
  return { event, url: maskUrl(url), method, post: String(post), on_exhausted: onExhausted }
}

/** The fields of a subscription; its event is chosen once. */
export function SubscriptionFields(props: {
  readonly typed: SubscriptionFormInput
  readonly errors: FieldErrors | undefined
  readonly isNew: boolean
}): Html {
  const { typed, errors, isNew } = props
  const of = (name: string) => ({ name, value: typed[name] ?? '', error: errors?.[name] })
  return (
    <>
      {isNew && <Select label="Event" {...of('event')} options={eventNames} />}
      <TextField
        label="Address to call"
        {...of('url')}
        required
        placeholder="https://"
        hint={`With http:// or https://, at most ${limits.url} characters; it may have a login and a password.`}
      />
      <div class="beside">
        <TextField label="Method" {...of('method')} hint="POST, or any other." />
        <Select
          label="What happened is told"
          {...of('post')}
          options={[
            ['true', 'in the body, as JSON'],
            ['false', 'in the query of the address'],
          ]}
        />
        <Select
          label="After 72 hours of failures"
          {...of('on_exhausted')}
          options={[
            ['pause', 'pause, and keep the event'],
            ['skip', 'give the event up'],
          ]}
        />
      </div>
    </>
  )
}
