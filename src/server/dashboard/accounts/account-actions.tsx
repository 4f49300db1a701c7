import type { Account } from '../../../domain/account/account.js'
import { RelayError } from '../../../errors.js'
import { digest } from '../../../util/crypto/secrets.js'
import type { AppParts } from '../../app.js'
import { param } from '../../http/exchange.js'
import { Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { type Child, Fragment, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { PasswordField } from '../components/password-field.js'
import { Secret } from '../components/secret.js'
import { type ConfirmationParts, type Unconfirmed, unconfirmed } from '../page/confirm-password.js'
import { ownerOnly } from '../page/owner-only.js'
import {
  type Answer,
  done,
  failed,
  field,
  type PageHandler,
  type Pages,
  page,
  type Visit,
} from '../page/page.js'
import { keyKind, keyMark, newKey } from './account-keys.js'
import { accountPath, accountsPath } from './account-list-page.js'

type Parts = ConfirmationParts & Pick<AppParts, 'accounts'>

/** Something the owner does with an account, asked for first. */
interface Action {
  readonly title: string
  readonly consequence: string
  /** Changes when it was done, so that the same form does it once. */
  readonly mark: (account: Account) => string
  /** Whether its e-mail address is to be typed. */
  readonly typed?: true
  readonly run: (account: Account) => Promise<Answer>
}

/** What the owner does with an account, each confirmed with the owner's password. */
export function accountActionPages(parts: Parts): Pages {
  const on = `${accountsPath}/:id`
  return ownerOnly(parts, {
    [`${on}/password`]: confirmed(parts, () => passwordReset(parts)),
    [`${on}/keys/:name`]: confirmed(parts, visit => keyRotation(parts, visit)),
    [`${on}/delete`]: confirmed(parts, () => removal(parts)),
  })
}

function passwordReset({ accounts }: Parts): Action {
  return {
    title: 'Give it a new password',
    consequence: 'It gets a random password, which is shown once, and its sessions end.',
    mark: ({ passwordHash }) => digest(passwordHash).slice(0, 22),
    run: async account => {
      const value = await accounts.setPassword(account.email)
      return shownOnce(account, { id: 'new-password', label: 'Password', value })
    },
  }
}

function keyRotation({ accounts }: Parts, { request }: Visit): Action {
  const kind = keyKind(param(request, 'name'))
  if (kind === undefined) throw new RelayError('not_found', 'There is no such key.')
  const { name, label, consequence } = kind
  return {
    title: `Replace the ${label}`,
    consequence,
    mark: account => keyMark(account, name),
    run: async account => {
      const value = newKey(await accounts.rotate(account.email, name), name)
      return shownOnce(account, { id: `${name}-key`, label, value })
    },
  }
}

function removal({ accounts }: Parts): Action {
  return {
    title: 'Delete it',
    consequence:
      'Its messages, received texts, subscriptions, addresses, lists and keys are deleted with it, for good.',
    mark: ({ id }) => id,
    typed: true,
    run: async ({ email }) => {
      await accounts.remove(email)
      return done(accountsPath, `The account ${email} is deleted.`)
    },
  }
}

type Handlers = Readonly<Record<'GET' | 'POST', PageHandler>>

/** Asks on GET, and acts on POST when it is confirmed. The owner's own account is left to the settings. */
function confirmed(parts: Parts, actionOf: (visit: Visit) => Action): Handlers {
  return {
    GET: async visit => {
      const account = await otherAccount(parts, visit)
      return askPage(visit, account, actionOf(visit))
    },
    POST: async visit => {
      const action = actionOf(visit)
      const before = await otherAccount(parts, visit)
      if (action.typed && field(visit, 'email').trim() !== before.email)
        return askPage(visit, before, action, { email: 'It is not the address of this account.' })
      const refused = await unconfirmed(parts, visit)
      if (refused !== undefined) return askPage(visit, before, action, refused)
      const account = await otherAccount(parts, visit)
      if (field(visit, 'was') !== action.mark(account))
        return failed(accountPath(account), 'It was done already, or by somebody else.')
      return await action.run(account)
    },
  }
}

async function otherAccount({ accounts }: Parts, visit: Visit): Promise<Account> {
  const account = await accounts.byId(param(visit.request, 'id'))
  if (account.id !== visit.account.id) return account
  throw new RelayError('invalid_state', "This is your own account, the owner's.", {
    hint: 'It is changed in the settings, and deleted with: smsrelay account delete',
  })
}

interface Refused extends Partial<Unconfirmed> {
  readonly email?: string
}

function askPage(visit: Visit, account: Account, action: Action, refused?: Refused): Answer {
  const body = (
    <>
      <p>{action.consequence}</p>
      <Form action={visit.request.path} csrf={visit.csrf} class="narrow">
        <input type="hidden" name="was" value={action.mark(account)} />
        {action.typed && (
          <TextField
            label="Its e-mail address"
            name="email"
            autocomplete="off"
            required
            hint={`Type ${account.email} to confirm.`}
            error={refused?.email}
          />
        )}
        <PasswordField error={refused?.error} />
        <Button label={action.title} look="danger" />{' '}
        <a href={accountPath(account)}>Leave it as it is</a>
      </Form>
    </>
  )
  const status = refused === undefined ? 200 : (refused.status ?? 400)
  return ownersPage(`${action.title}: ${account.email}`, body, status)
}

function shownOnce(account: Account, secret: { id: string; label: string; value: string }): Answer {
  const body = (
    <>
      <Notice kind="done">{`${secret.label} of ${account.email}, shown this once:`}</Notice>
      <Secret {...secret} />
      <p>
        <a href={accountPath(account)}>Back to the account</a>
      </p>
    </>
  )
  return ownersPage(`New ${secret.label}`, body)
}

function ownersPage(title: string, body: Exclude<Child, undefined>, status = 200): Answer {
  return page({ title, current: accountsPath, body: <>{body}</>, status })
}
