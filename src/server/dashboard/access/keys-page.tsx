import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { createKeyReplacement, type KeyName, keyDescriptions } from '../accounts/account-keys.js'
import { Card, CardBody } from '../components/card.js'
import { ActionButton, Actions, ButtonLink } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Secret } from '../components/secret.js'
import { Time } from '../components/time.js'
import { createConfirmedHandlers } from '../page/confirmed-action.js'
import { type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
import type { ConfirmationContext } from '../page/page-guards.js'

const keysPath = '/settings/keys'

type Context = ConfirmationContext & Pick<ServerContext, 'accounts' | 'signingSecrets'>

/**
 * Creates the dashboard's page of keys: shows them on request; to replace one, a person confirms
 * the password.
 */
export function createKeyPages(context: Context): Pages {
  return {
    [keysPath]: {
      GET: async request => showKeysPage(request),
      POST: async request => {
        const { secretKey: secret, appKey: app } = request.account
        const hook = await context.signingSecrets.get(request.account)
        return showKeysPage(request, { secret, app, hook })
      },
    },
    [`${keysPath}/:name`]: createConfirmedHandlers(context, async request => {
      const account = await context.accounts.getById(request.account.id)
      const page = { backPath: keysPath, current: keysPath }
      return createKeyReplacement(context.accounts, account, getParam(request.http, 'name'), page)
    }),
  }
}

type ShownKeys = Partial<Readonly<Record<KeyName, string>>>

function showKeysPage(request: PageRequest, shown?: ShownKeys): PageResult {
  const body = (
    <>
      {keyDescriptions.map(({ name, label, use }) => (
        <Card title={label} id={`${name}-title`}>
          <CardBody>
            <p>{use}</p>
            <KeyValue name={name} label={label} value={shown?.[name]} />
            {name === 'hook' && <PreviousSecrets request={request} />}
            <Actions>
              <ButtonLink
                href={`${keysPath}/${name}`}
                label="Replace"
                title={`Replace the ${label}`}
              />
            </Actions>
          </CardBody>
        </Card>
      ))}
    </>
  )
  const actions =
    shown === undefined ? (
      <ActionButton action={keysPath} csrf={request.csrf} label="Show the keys" icon="key" />
    ) : (
      <ButtonLink href={keysPath} label="Hide the keys" />
    )
  return showPage({ title: 'Keys', current: keysPath, actions, body })
}

function KeyValue(props: { name: KeyName; label: string; value: string | undefined }): Html {
  const { name, label, value } = props
  if (value !== undefined) return <Secret id={`${name}-key`} label={label} value={value} />
  return <p class="quiet">{name === 'api' ? 'Stored as a hash only.' : '••••••••••••'}</p>
}

function PreviousSecrets({ request: { account, now } }: { request: PageRequest }): Html {
  const previous = (account.formerHookSecrets ?? []).filter(({ until }) => until > now)
  return (
    <>
      {previous.map(({ until }) => (
        <p>
          Webhooks are also signed with the previous secret until <Time at={until} />.
        </p>
      ))}
    </>
  )
}
