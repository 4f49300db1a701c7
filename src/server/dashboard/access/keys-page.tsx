import { RelayError } from '../../../errors.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import {
  findKeyDescription,
  getKey,
  getKeyVersion,
  type KeyDescription,
  type KeyName,
  keyDescriptions,
} from '../accounts/account-keys.js'
import { settingsPath } from '../accounts/settings-page.js'
import { ActionButton, Button, Form } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { PasswordField } from '../components/password-field.js'
import { Secret } from '../components/secret.js'
import { Time } from '../components/time.js'
import {
  getField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithError,
  showPage,
} from '../page/page.js'
import {
  type ConfirmationContext,
  type ConfirmationFailure,
  confirmPassword,
} from '../page/page-guards.js'

const keysPath = `${settingsPath}/keys`

type Context = ConfirmationContext & Pick<ServerContext, 'accounts' | 'signingSecrets'>

/** The keys of a person's own account: shown on request, and replaced with the password. */
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
    [`${keysPath}/:name`]: {
      GET: async request => showReplacePage(request, getRequestedKey(request)),
      POST: async request => await replaceKey(context, request),
    },
  }
}

type ShownKeys = Partial<Readonly<Record<KeyName, string>>>

function showKeysPage(request: PageRequest, shown?: ShownKeys): PageResult {
  const body = (
    <>
      {shown === undefined ? (
        <ActionButton action={keysPath} csrf={request.csrf} label="Show the keys" />
      ) : (
        <a href={keysPath}>Hide the keys</a>
      )}
      {keyDescriptions.map(({ name, label, use }) => (
        <section aria-label={label}>
          <h2>{label}</h2>
          <p>{use}</p>
          <KeyValue name={name} label={label} value={shown?.[name]} />
          {name === 'hook' && <PreviousSecrets request={request} />}
          <p>
            <a href={`${keysPath}/${name}`} aria-label={`Replace the ${label}`}>
              Replace
            </a>
          </p>
        </section>
      ))}
    </>
  )
  return showPage({ title: 'Keys', current: settingsPath, body })
}

function KeyValue(props: { name: KeyName; label: string; value: string | undefined }): Html {
  const { name, label, value } = props
  if (value !== undefined) return <Secret id={`${name}-key`} label={label} value={value} />
  return <p class="empty">{name === 'api' ? 'Stored as a hash only.' : '••••••••••••'}</p>
}

/** Replaced signing secrets that are still valid. */
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

async function replaceKey(context: Context, request: PageRequest): Promise<PageResult> {
  const kind = getRequestedKey(request)
  const failure = await confirmPassword(context, request)
  if (failure !== undefined) return showReplacePage(request, kind, failure)
  // The same form may have been sent again while the password was checked.
  const account = await context.accounts.getById(request.account.id)
  if (getField(request, 'was') !== getKeyVersion(account, kind.name))
    return redirectWithError(keysPath, `The ${kind.label} has already been replaced.`)
  const keys = await context.accounts.rotateKeys(account.email, kind.name)
  return showReplacedPage(kind, getKey(keys, kind.name))
}

function getRequestedKey({ http }: PageRequest): KeyDescription {
  const kind = findKeyDescription(getParam(http, 'name'))
  if (kind !== undefined) return kind
  throw new RelayError('not_found', 'There is no such key.')
}

function showReplacePage(
  { account, csrf }: PageRequest,
  kind: KeyDescription,
  failure?: ConfirmationFailure,
): PageResult {
  const { name, label, consequence } = kind
  const body = (
    <>
      <p>{consequence}</p>
      <Form action={`${keysPath}/${name}`} csrf={csrf} class="narrow">
        <input type="hidden" name="was" value={getKeyVersion(account, name)} />
        <PasswordField error={failure?.error} />
        <Button label={`Replace the ${label}`} variant="danger" /> <a href={keysPath}>Cancel</a>
      </Form>
    </>
  )
  const status = failure?.status ?? 200
  return showPage({ title: `Replace the ${label}`, current: settingsPath, body, status })
}

function showReplacedPage({ name, label, consequence }: KeyDescription, value: string): PageResult {
  const once = name === 'api' ? ' It is shown only now.' : ''
  const body = (
    <>
      <Notice kind="done">{`The ${label} is replaced.${once}`}</Notice>
      <Secret id={`${name}-key`} label={label} value={value} />
      <p>{consequence}</p>
      <p>
        <a href={keysPath}>Back to the keys</a>
      </p>
    </>
  )
  return showPage({ title: `The new ${label}`, current: settingsPath, body })
}
