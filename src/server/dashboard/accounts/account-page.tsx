import type { Account } from '../../../domain/account/account.js'
import type { AppParts } from '../../app.js'
import { param } from '../../http/exchange.js'
import { Fragment, h } from '../components/html.js'
import { Facts } from '../components/table.js'
import { Time } from '../components/time.js'
import { ownerOnly } from '../page/owner-only.js'
import { type Answer, type Pages, page, type Visit } from '../page/page.js'
import { keyKinds } from './account-keys.js'
import { accountPath, accountsPath } from './account-list-page.js'

/** An account as the owner sees it: none of its secrets, none of its messages. */
export function accountDetailPages(parts: Pick<AppParts, 'accounts'>): Pages {
  return ownerOnly(parts, {
    [`${accountsPath}/:id`]: {
      GET: async visit => detailPage(visit, await parts.accounts.byId(param(visit.request, 'id'))),
    },
  })
}

function detailPage({ account: own }: Visit, account: Account): Answer {
  const { email, country, mode, createdAt, id } = account
  const path = accountPath(account)
  const body = (
    <>
      <Facts
        items={[
          ['E-mail address', email],
          ['Country', country],
          ['Delivery', mode],
          ['Created', <Time at={createdAt} />],
          ['Identifier', <code>{id}</code>],
        ]}
      />
      {account.id === own.id ? (
        <p>
          This is your account, the owner's. It is changed in the <a href="/settings">settings</a>.
        </p>
      ) : (
        <>
          <h2>What can be done with it</h2>
          <ul>
            <li>
              <a href={`${path}/password`}>Give it a new password</a>
            </li>
            {keyKinds.map(({ name, label }) => (
              <li>
                <a href={`${path}/keys/${name}`}>{`Replace the ${label}`}</a>
              </li>
            ))}
            <li>
              <a href={`${path}/delete`}>Delete it</a>
            </li>
          </ul>
        </>
      )}
    </>
  )
  return page({ title: `Account ${email}`, current: accountsPath, body })
}
