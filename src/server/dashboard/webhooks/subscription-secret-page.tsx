import type { Subscription } from '../../../domain/webhook/subscription.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { Card, CardBody } from '../components/card.js'
import { Actions, ButtonLink } from '../components/form.js'
import { Fragment, h } from '../components/html.js'
import { Secret } from '../components/secret.js'
import { type ConfirmedAction, createConfirmedHandlers } from '../page/confirmed-action.js'
import {
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import {
  createSecretHandlers,
  HideSecretsButton,
  type SecretContext,
  type SecretState,
  ShowSecretsCard,
} from '../page/shown-secrets.js'
import { getSubscriptionPath, subscriptionsPath } from './subscription-summary.js'

type Context = SecretContext & Pick<ServerContext, 'subscriptions' | 'signingSecrets'>

export function createSubscriptionSecretPages(context: Context): Pages {
  const path = `${subscriptionsPath}/:id/secret`
  return {
    [path]: createSecretHandlers(context, async (request, state) => {
      const subscription = await load(request, context)
      if (!state.isShown) return showSecretPage(request, subscription, state)
      const { signingSecrets } = context
      const { secret } = await signingSecrets.getForSubscription(request.account, subscription.id)
      return showSecretPage(request, subscription, state, secret)
    }),
    [`${path}/replace`]: createConfirmedHandlers(context, async request => ({
      ...describeChange(await load(request, context)),
      title: 'Replace the signing secret of a subscription',
      label: 'Replace',
      consequence: 'The subscription gets a new secret of its own.',
      run: async () => {
        const { id } = await load(request, context)
        await context.signingSecrets.rotateForSubscription(request.account, id)
        return redirectWithSuccess(getSecretPath(id), 'The subscription has a new signing secret.')
      },
    })),
    [`${path}/remove`]: createConfirmedHandlers(context, async request => ({
      ...describeChange(await load(request, context)),
      title: 'Remove the signing secret of a subscription',
      label: 'Remove',
      consequence: 'The signing secret of the account signs its webhooks again.',
      run: async () => {
        const { id } = await load(request, context)
        await context.signingSecrets.removeForSubscription(request.account, id)
        return redirectWithSuccess(getSecretPath(id), 'The account’s signing secret is used.')
      },
    })),
  }
}

function getSecretPath(id: string): string {
  return `${getSubscriptionPath(id)}/secret`
}

async function load(request: PageRequest, { subscriptions }: Context): Promise<Subscription> {
  return await subscriptions.get(request.account, getParam(request.http, 'id'))
}

/** The confirmation page's version changes with each replaced or removed secret. */
function describeChange({
  id,
  hookSecret,
  formerHookSecrets = [],
}: Subscription): Pick<ConfirmedAction, 'version' | 'parent' | 'current'> {
  const own = hookSecret === undefined ? 'account' : 'own'
  const version = `${own} ${formerHookSecrets[0]?.until ?? 0}`
  const parent = { path: getSecretPath(id), label: 'Signing secret' }
  return { version, parent, current: subscriptionsPath }
}

function showSecretPage(
  request: PageRequest,
  { id, hookSecret }: Subscription,
  state: SecretState,
  shown?: string,
): PageResult {
  const path = getSecretPath(id)
  const isOwn = hookSecret !== undefined
  const body = (
    <>
      {!state.isShown && (
        <ShowSecretsCard request={request} label="Show the secret" state={state} />
      )}
      <Card label="Signing secret">
        <CardBody>
          <p>
            The webhooks of this subscription are signed with{' '}
            {isOwn ? 'a secret of its own' : 'the secret of the account'}. A replaced secret also
            signs for 24 hours.
          </p>
          {shown !== undefined && (
            <Secret id="subscription-secret" label="Signing secret" value={shown} />
          )}
          <Actions>
            <ButtonLink
              href={`${path}/replace`}
              label={isOwn ? 'Replace' : 'Use a secret of its own'}
            />
            {isOwn && <ButtonLink href={`${path}/remove`} label="Use the secret of the account" />}
          </Actions>
        </CardBody>
      </Card>
    </>
  )
  const parent = { path: getSubscriptionPath(id), label: 'Subscription' }
  const actions = state.isShown && <HideSecretsButton request={request} label="Hide the secret" />
  const page = { title: 'Signing secret', current: subscriptionsPath, parent, actions, body }
  return showPage({ ...page, status: state.status ?? 200 })
}
