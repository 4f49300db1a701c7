import {
  type AccountLimitsReply,
  accountLimitsEdit,
  parseLimitChanges,
  toLimitFields,
} from '../../contract/account/account-limit-schema.js'
import { parseInput } from '../../contract/schema/parse.js'
import type { Account } from '../../domain/account/account.js'
import { accountLimitNames } from '../../domain/account-limits.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import { readFields } from '../http/request-body.js'
import { createEntityTag, getPrecondition } from '../http/request-headers.js'
import { getParam, type RouteHandlers } from '../http/route.js'
import type { ServerContext } from '../http/server-context.js'
import type { Caller } from '../services/accounts/token-service.js'
import { requireOwner } from '../services/people/access.js'

type Context = Pick<ServerContext, 'accounts' | 'accountLimits'>

export function createLimitHandlers(
  context: Context,
): RouteHandlers<'getLimits' | 'getAccountLimits' | 'editAccountLimits'> {
  const { accountLimits } = context
  return {
    getLimits: async ({ caller, base }) =>
      await formatLimits(context, caller.account, `${base}/api/1/user/limits`),
    getAccountLimits: async ({ caller, request, response, base }) => {
      const account = await getNamedAccount(context, caller, request)
      response.setHeader('ETag', getLimitsTag(account))
      return await formatLimits(context, account, buildPath(account, base))
    },
    editAccountLimits: async ({ caller, request, response, base }) => {
      const account = await getNamedAccount(context, caller, request)
      const check = getPrecondition(request, getLimitsTag)
      const changes = parseLimitChanges(parseInput(accountLimitsEdit, await readFields(request)))
      const changed = await accountLimits.change(account, changes, check)
      response.setHeader('ETag', getLimitsTag(changed))
      return await formatLimits(context, changed, buildPath(account, base))
    },
  }
}

/** What is used of the limits is no part of their version. */
function getLimitsTag({ limits = {} }: Account): string {
  return createEntityTag(JSON.stringify(accountLimitNames.map(name => limits[name] ?? null)))
}

async function getNamedAccount(
  { accounts }: Context,
  caller: Caller,
  request: HttpRequest,
): Promise<Account> {
  await requireOwner(accounts, caller)
  return await accounts.get(getParam(request, 'email'))
}

function buildPath({ email }: Account, base: string): string {
  return `${base}/api/1/account/${encodeURIComponent(email)}/limits`
}

async function formatLimits(
  { accountLimits }: Context,
  account: Account,
  url: string,
): Promise<string> {
  const limits = toLimitFields(await accountLimits.read(account))
  const links: AccountLimitsReply['links'] = { get: { method: 'GET', url } }
  if (!url.endsWith('/user/limits')) links.edit = { method: 'PATCH', url }
  const reply: AccountLimitsReply = { limits, links }
  return JSON.stringify(reply)
}
