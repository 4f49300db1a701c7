import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import {
  createKeyReplacement,
  type KeyName,
  keyDescriptions,
  toSentenceCase,
} from '../accounts/account-keys.js'
import { Card, CardBody } from '../components/card.js'
import { Actions, ButtonLink } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Secret } from '../components/secret.js'
import { Time } from '../components/time.js'
import { createConfirmedHandlers } from '../page/confirmed-action.js'
import { type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
import {
  createSecretHandlers,
  HideSecretsButton,
  type SecretContext,
  type SecretState,
  ShowSecretsCard,
} from '../page/shown-secrets.js'

const keysPath = '/settings/keys'

type Context = SecretContext & Pick<ServerContext, 'accounts' | 'signingSecrets'>

/**
 * Creates the dashboard's page of keys. To show them, and to replace one, a person confirms the
 * password.
 */
export function createKeyPages(context: Context): Pages {
  return {
    [keysPath]: createSecretHandlers(context, async (request, state) => {
      if (!state.isShown) return showKeysPage(request, state, {})
      const { secretKey: secret, appKey: app } = await context.accounts.getKeys(request.account)
      const hook = await context.signingSecrets.get(request.account)
      return showKeysPage(request, state, { secret, app, hook })
    }),
    [`${keysPath}/:name`]: createConfirmedHandlers(context, async request => {
      const account = await context.accounts.getById(request.account.id)
      const page = { parent: { path: keysPath, label: 'Keys' }, current: keysPath }
      return createKeyReplacement(context.accounts, account, getParam(request.http, 'name'), page)
    }),
  }
}

type ShownKeys = Partial<Readonly<Record<KeyName, string>>>

function showKeysPage(request: PageRequest, state: SecretState, shown: ShownKeys): PageResult {
  const { isShown, status = 200 } = state
  const body = (
    <>
      {!isShown && <ShowSecretsCard request={request} label="Show the keys" state={state} />}
      <div class="pair">
        {keyDescriptions.map(({ name, label, use }) => (
          <Card title={label} id={`${name}-title`}>
            <CardBody>
              <p>{use}</p>
              <KeyValue name={name} label={label} value={shown[name]} />
              {name === 'hook' && <PreviousSecrets request={request} />}
              <Actions>
                <ButtonLink
                  href={`${keysPath}/${name}`}
                  label="Replace"
                  title={`Replace the ${toSentenceCase(label)}`}
                />
              </Actions>
            </CardBody>
          </Card>
        ))}
      </div>
    </>
  )
  const actions = isShown && <HideSecretsButton request={request} label="Hide the keys" />
  return showPage({ title: 'Keys', current: keysPath, actions, body, status })
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
