import { buildAfterQuery, formatListPage } from '../../contract/api/list-page.js'
import { pageQuery } from '../../contract/schema/list-page-schema.js'
import { parseInput } from '../../contract/schema/parse.js'
import { formatSecretUrlAddress } from '../../contract/secret-url/secret-url-address.js'
import {
  type SecretUrlFields,
  type SecretUrlReply,
  secretUrlCreate,
} from '../../contract/secret-url/secret-url-schema.js'
import { isExpired, type SecretUrl } from '../../domain/account/secret-url.js'
import { formatUsageLimit } from '../../domain/account/usage-limit.js'
import { limits } from '../../domain/limits.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { readFields } from '../http/request-body.js'
import { parseQuery } from '../http/request-query.js'
import { getParam, type RouteHandlers, setNoStore } from '../http/route.js'
import { toSecretUrlDraft } from '../http/secret-url-draft.js'
import type { ServerContext } from '../http/server-context.js'

export function createSecretUrlHandlers({
  secretUrls,
}: ServerContext): RouteHandlers<'listSecretUrls' | 'createSecretUrl' | 'revokeSecretUrl'> {
  return {
    listSecretUrls: async context => {
      const { caller, request, base } = context
      const { count, after } = parseQuery(pageQuery(), request)
      const items = await secretUrls.getPage(caller.account, { count: count + 1, after })
      const now = secretUrls.now()
      return formatListPage(context, {
        name: 'urls',
        items,
        count,
        toReply: each => toReply(each, now, base),
        getNextQuery: ({ createdAt, id }) => buildAfterQuery(createdAt, id),
      })
    },
    createSecretUrl: async ({ caller, request, response, base }) => {
      const draft = toSecretUrlDraft(parseInput(secretUrlCreate, await readFields(request)))
      const { secretUrl, secret } = await secretUrls.create(caller.account, draft)
      setNoStore(response)
      const { url, links } = toReply(secretUrl, secretUrls.now(), base)
      return JSON.stringify({ url: { ...url, url: formatSecretUrlAddress(base, secret) }, links })
    },
    revokeSecretUrl: async ({ caller, request }) => {
      const { id } = await secretUrls.revoke(caller.account, getParam(request, 'id'))
      return JSON.stringify({ url: { id } })
    },
  }
}

function toReply(secretUrl: SecretUrl, now: number, base: string): SecretUrlReply {
  const all = `${base}/api/1/url`
  return {
    url: toSecretUrlFields(secretUrl, now),
    links: {
      list: { method: 'GET', url: all },
      new: { method: 'POST', url: all },
      delete: { method: 'DELETE', url: `${all}/${secretUrl.id}` },
    },
  }
}

function toSecretUrlFields(secretUrl: SecretUrl, now: number): SecretUrlFields {
  const { destinations, rate, expiresAt, uses } = secretUrl
  return {
    id: secretUrl.id,
    name: secretUrl.name ?? null,
    destination: destinations === undefined ? null : [...destinations],
    message: secretUrl.template ?? null,
    max_length: secretUrl.length ?? limits.text,
    rate: rate === undefined ? null : formatUsageLimit(rate),
    expires_on: expiresAt === undefined ? null : formatDateTime(expiresAt),
    confirm: secretUrl.confirm ?? false,
    state: isExpired(secretUrl, now) ? 'expired' : 'active',
    created_on: formatDateTime(secretUrl.createdAt),
    used_count: uses?.count ?? 0,
    last_used_on: uses === undefined ? null : formatDateTime(uses.lastAt),
  }
}
