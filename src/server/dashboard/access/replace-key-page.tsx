import { RelayError } from '../../../errors.js'
import type { AppParts } from '../../app.js'
import { param } from '../../http/exchange.js'
import { type KeyKind, keyKind, keyMark, newKey } from '../accounts/account-keys.js'
import { settingsPath } from '../accounts/settings-page.js'
import { Button, Form } from '../components/form.js'
import { Fragment, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { PasswordField } from '../components/password-field.js'
import { Secret } from '../components/secret.js'
import { type ConfirmationParts, type Unconfirmed, unconfirmed } from '../page/confirm-password.js'
import { type Answer, failed, field, type Pages, page, type Visit } from '../page/page.js'
import { keysPath } from './keys-page.js'

/** Replacing a key: asked for first, and the new one shown once. */
export function keyReplacementPages(parts: ConfirmationParts & Pick<AppParts, 'accounts'>): Pages {
  return {
    [`${keysPath}/:name`]: {
      GET: async visit => replacementPage(visit, kindOf(visit)),
      POST: async visit => {
        const kind = kindOf(visit)
        const refused = await unconfirmed(parts, visit)
        if (refused !== undefined) return replacementPage(visit, kind, refused)
        // The confirmation takes long enough for the same form to come again.
        const account = await parts.accounts.byId(visit.account.id)
        if (field(visit, 'was') !== keyMark(account, kind.name))
          return failed(keysPath, `The ${kind.label} was replaced since that page was loaded.`)
        const keys = await parts.accounts.rotate(account.email, kind.name)
        return replacedPage(kind, newKey(keys, kind.name))
      },
    },
  }
}

function kindOf({ request }: Visit): KeyKind {
  const kind = keyKind(param(request, 'name'))
  if (kind !== undefined) return kind
  throw new RelayError('not_found', 'There is no such key.')
}

function replacementPage({ account, csrf }: Visit, kind: KeyKind, refused?: Unconfirmed): Answer {
  const { name, label, consequence } = kind
  const body = (
    <>
      <p>{consequence}</p>
      <Form action={`${keysPath}/${name}`} csrf={csrf} class="narrow">
        <input type="hidden" name="was" value={keyMark(account, name)} />
        <PasswordField error={refused?.error} />
        <Button label={`Replace the ${label}`} look="danger" />{' '}
        <a href={keysPath}>Leave it as it is</a>
      </Form>
    </>
  )
  const status = refused?.status ?? 200
  return page({ title: `Replace the ${label}`, current: settingsPath, body, status })
}

function replacedPage({ name, label, consequence }: KeyKind, value: string): Answer {
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
  return page({ title: `The new ${label}`, current: settingsPath, body })
}
