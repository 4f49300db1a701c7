import type { Account } from '../../../domain/account/account.js'
import { getParam } from '../../http/exchange.js'
import type { ServerContext } from '../../http/server-context.js'
import { Fragment, h } from '../components/html.js'
import { DetailList } from '../components/table.js'
import { Time } from '../components/time.js'
import { type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
import { restrictToOwner } from '../page/page-guards.js'
import { keyKinds } from './account-keys.js'
import { accountsPath, getAccountPath } from './account-list-page.js'

/** An account as the owner sees it: none of its secrets, none of its messages. */
export function createAccountDetailPages(context: Pick<ServerContext, 'accounts'>): Pages {
  return restrictToOwner(context, {
    [`${accountsPath}/:id`]: {
      GET: async request =>
        showAccountPage(request, await context.accounts.getById(getParam(request.http, 'id'))),
    },
  })
}

function showAccountPage({ account: own }: PageRequest, account: Account): PageResult {
  const { email, country, mode, createdAt, id } = account
  const path = getAccountPath(account)
  const body = (
    <>
      <DetailList
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
  return showPage({ title: `Account ${email}`, current: accountsPath, body })
}
