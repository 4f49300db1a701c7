import { RelayError } from '../../../errors.js'
import { getParam } from '../../http/exchange.js'
import type { ServerContext } from '../../http/server-context.js'
import { findKeyKind, getKey, getKeyVersion, type KeyKind } from '../accounts/account-keys.js'
import { settingsPath } from '../accounts/settings-page.js'
import { Button, Form } from '../components/form.js'
import { Fragment, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { PasswordField } from '../components/password-field.js'
import { Secret } from '../components/secret.js'
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
import { keysPath } from './keys-page.js'

/** Replacing a key: asked for first, and the new one shown once. */
export function createReplaceKeyPages(
  context: ConfirmationContext & Pick<ServerContext, 'accounts'>,
): Pages {
  return {
    [`${keysPath}/:name`]: {
      GET: async request => showReplacePage(request, getKeyKind(request)),
      POST: async request => {
        const kind = getKeyKind(request)
        const refused = await confirmPassword(context, request)
        if (refused !== undefined) return showReplacePage(request, kind, refused)
        // The confirmation takes long enough for the same form to come again.
        const account = await context.accounts.getById(request.account.id)
        if (getField(request, 'was') !== getKeyVersion(account, kind.name))
          return redirectWithError(
            keysPath,
            `The ${kind.label} was replaced since that page was loaded.`,
          )
        const keys = await context.accounts.rotateKeys(account.email, kind.name)
        return showReplacedPage(kind, getKey(keys, kind.name))
      },
    },
  }
}

function getKeyKind({ http }: PageRequest): KeyKind {
  const kind = findKeyKind(getParam(http, 'name'))
  if (kind !== undefined) return kind
  throw new RelayError('not_found', 'There is no such key.')
}

function showReplacePage(
  { account, csrf }: PageRequest,
  kind: KeyKind,
  refused?: ConfirmationFailure,
): PageResult {
  const { name, label, consequence } = kind
  const body = (
    <>
      <p>{consequence}</p>
      <Form action={`${keysPath}/${name}`} csrf={csrf} class="narrow">
        <input type="hidden" name="was" value={getKeyVersion(account, name)} />
        <PasswordField error={refused?.error} />
        <Button label={`Replace the ${label}`} variant="danger" />{' '}
        <a href={keysPath}>Leave it as it is</a>
      </Form>
    </>
  )
  const status = refused?.status ?? 200
  return showPage({ title: `Replace the ${label}`, current: settingsPath, body, status })
}

function showReplacedPage({ name, label, consequence }: KeyKind, value: string): PageResult {
  const once = name === 'api' ? ' It is shown this once.' : ''
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
