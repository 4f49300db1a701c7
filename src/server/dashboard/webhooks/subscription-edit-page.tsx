import { subscriptionEdit } from '../../../contract/subscription-schema.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import type { AppParts } from '../../app.js'
import { param } from '../../http/exchange.js'
import type { SubscriptionService } from '../../services/webhooks/subscription-service.js'
import { Button, Form } from '../components/form.js'
import { h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { checked, errorsFrom, type FieldErrors } from '../page/field-errors.js'
import { type Answer, done, type Pages, page, type Visit } from '../page/page.js'
import { unmaskedUrl } from './masked-url.js'
import {
  SubscriptionFields,
  type SubscriptionTyped,
  subscriptionForm,
  subscriptionInput,
  typedSubscription,
} from './subscription-form.js'
import { subscriptionPath, subscriptionsPath } from './subscription-path.js'

/** Editing a subscription (SPEC.md section 4.3). */
export function subscriptionEditPages({ subscriptions }: Pick<AppParts, 'subscriptions'>): Pages {
  return {
    [`${subscriptionsPath}/:id/edit`]: {
      GET: async visit => {
        const found = await subscriptions.get(visit.account, param(visit.request, 'id'))
        return editPage(visit, found, subscriptionForm(found))
      },
      POST: async visit => await edit(visit, subscriptions),
    },
  }
}

/** Only what was changed is edited: a hit that waits is made at once where it concerns the hit. */
async function edit(visit: Visit, subscriptions: SubscriptionService): Promise<Answer> {
  const before = await subscriptions.get(visit.account, param(visit.request, 'id'))
  const { event, id } = before
  const typed = typedSubscription(visit)
  const url = unmaskedUrl(typed.url ?? '', before.url)
  if (url === undefined) return editPage(visit, before, typed, { url: anotherServer })
  const draft = checked(subscriptionEdit, { url, ...rest(typed), event })
  if ('errors' in draft) return editPage(visit, before, typed, draft.errors)
  const { method, post, on_exhausted: onExhausted } = draft.data
  const wanted = { url, method, post, onExhausted }
  const changes = Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) =>
        value !== undefined && value !== (before[name as keyof typeof wanted] ?? 'pause'),
    ),
  )
  if (Object.keys(changes).length === 0) return done(subscriptionPath(id), 'Nothing was changed.')
  try {
    await subscriptions.edit(visit.account, id, event, changes)
    return done(subscriptionPath(id), 'The subscription is changed.')
  } catch (error) {
    return editPage(visit, before, typed, errorsFrom(error))
  }
}

const anotherServer = 'Give login and password again: they are not told to another server.'

function rest(typed: SubscriptionTyped) {
  const { url: _, event: __, ...others } = subscriptionInput(typed)
  return others
}

function editPage(
  visit: Visit,
  { id, event }: Subscription,
  typed: SubscriptionTyped,
  errors?: FieldErrors,
): Answer {
  const own = subscriptionPath(id)
  const body = (
    <Form action={`${own}/edit`} csrf={visit.csrf}>
      {errors?.[''] !== undefined && <Notice kind="failed">{errors['']}</Notice>}
      <SubscriptionFields typed={typed} errors={errors} isNew={false} />
      <Button label="Save" /> <a href={own}>Leave it as it is</a>
    </Form>
  )
  const status = errors === undefined ? 200 : 400
  return page({
    title: `Edit the subscription to ${event}`,
    current: subscriptionsPath,
    body,
    status,
  })
}
