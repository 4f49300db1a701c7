import { subscriptionEdit } from '../../../contract/subscription-schema.js'
import type { Subscription } from '../../../domain/webhook/subscription.js'
import type { SubscriptionChanges } from '../../../domain/webhook/subscription-state.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { toSubscriptionChanges } from '../../http/subscription-fields.js'
import type { SubscriptionService } from '../../services/webhooks/subscription-service.js'
import { versionFieldName } from '../components/form.js'
import { h } from '../components/html.js'
import {
  checkVersion,
  createVersion,
  type ShowCurrent,
  showChanged,
} from '../forms/edit-conflict.js'
import { EditCard, submitEdit } from '../forms/edit-frame.js'
import { type FieldErrors, parseFields } from '../page/field-errors.js'
import {
  getField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import { maskUrl, unmaskUrl } from './masked-url.js'
import {
  maskHeaders,
  omitEmptyFields,
  parseSubscriptionForm,
  SubscriptionFields,
  type SubscriptionFormInput,
  toHeadersField,
  toSubscriptionForm,
} from './subscription-form.js'
import { getSubscriptionPath, subscriptionsPath } from './subscription-summary.js'

export function createSubscriptionEditPages({
  subscriptions,
}: Pick<ServerContext, 'subscriptions'>): Pages {
  return {
    [`${subscriptionsPath}/:id/edit`]: {
      GET: async request => await showStored(request, subscriptions),
      POST: async request => await editSubscription(request, subscriptions),
    },
  }
}

/**
 * Passes only the changed fields of a subscription's form: some changes retry a failed delivery at
 * once.
 */
async function editSubscription(
  request: PageRequest,
  subscriptions: SubscriptionService,
): Promise<PageResult> {
  const before = await subscriptions.get(request.account, getParam(request.http, 'id'))
  const { event, id } = before
  const form = parseSubscriptionForm(request)
  const isOutdated = getField(request, versionFieldName) !== getVersion(before)
  const url = unmaskUrl(form.url ?? '', before.url)
  // The host may be the one that the subscription had when the form was opened.
  const showCurrent: ShowCurrent = async fresh => await showStored(fresh, subscriptions)
  const shown = { url: maskUrl(form.url ?? ''), headers: maskHeaders(form.headers) }
  const masked = { ...request, fields: { ...request.fields, ...shown } }
  if (url === undefined && isOutdated) return await showChanged(masked, changedText, showCurrent)
  if (url === undefined) return showEditPage(request, before, form, { url: otherServerText })
  const schedule = { retry_schedule: form.retry_schedule ?? '' }
  const headers = toHeadersField(form, before.headers)
  const fields = { url, ...omitFixedFields(form), ...headers, ...schedule, event }
  return await submitEdit(masked, parseFields(subscriptionEdit, fields), {
    save: async draft => {
      const changes = findChanges(before, toSubscriptionChanges(draft))
      if (Object.keys(changes).length === 0)
        return redirectWithSuccess(getSubscriptionPath(id), 'The subscription has not changed.')
      await subscriptions.edit(request.account, id, event, changes, current =>
        checkVersion(request, getVersion(current)),
      )
      return redirectWithSuccess(getSubscriptionPath(id), 'The subscription is changed.')
    },
    showForm: errors => showEditPage(request, before, form, errors),
    showCurrent,
    reason: changedText,
  })
}

const changedText = 'The subscription has been changed in the meantime.'

async function showStored(
  request: PageRequest,
  subscriptions: SubscriptionService,
): Promise<PageResult> {
  const found = await subscriptions.get(request.account, getParam(request.http, 'id'))
  return showEditPage(request, found, toSubscriptionForm(found))
}

/** The version of what the form edits; deliveries do not change it. */
function getVersion(subscription: Subscription): string {
  const { url, method, post, onExhausted = 'pause', window = 1, schedule = null } = subscription
  const names = Object.keys(subscription.headers ?? {})
  return createVersion([url, method, post, onExhausted, window, schedule, ...names])
}

function findChanges(before: Subscription, edited: SubscriptionChanges): SubscriptionChanges {
  const { onExhausted = 'pause', window = 1, schedule = null } = before
  const { headers: _, ...others } = before
  const known: SubscriptionChanges = { ...others, onExhausted, window, schedule }
  const changed = Object.entries(edited).filter(
    ([name, value]) => String(value) !== String(known[name as keyof SubscriptionChanges]),
  )
  return Object.fromEntries(changed)
}

const otherServerText = 'Enter the login and password again: they are not sent to another server.'

function omitFixedFields(form: SubscriptionFormInput) {
  const { url: _, event: __, headers: ___, ...others } = omitEmptyFields(form)
  return others
}

function showEditPage(
  request: PageRequest,
  subscription: Subscription,
  form: SubscriptionFormInput,
  errors?: FieldErrors,
): PageResult {
  const path = getSubscriptionPath(subscription.id)
  const body = (
    <EditCard
      request={request}
      errors={errors}
      label="Subscription"
      path={`${path}/edit`}
      version={getVersion(subscription)}
      back={{ path, label: 'Cancel' }}
    >
      <SubscriptionFields form={form} errors={errors} isNew={false} />
    </EditCard>
  )
  const status = errors === undefined ? 200 : 400
  return showPage({
    title: `Edit the subscription to ${subscription.event}`,
    current: subscriptionsPath,
    parent: { path, label: 'Subscription' },
    body,
    status,
  })
}
