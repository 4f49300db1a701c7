import { parseInput } from '../../contract/schema/parse.js'
import { formatSecretUrlAddress } from '../../contract/secret-url-address.js'
import {
  type SecretUrlFields,
  type SecretUrlReply,
  secretUrlCreate,
} from '../../contract/secret-url-schema.js'
import { isExpired, type SecretUrl } from '../../domain/account/secret-url.js'
import { formatUsageLimit } from '../../domain/account/usage-limit.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { requireFullScope } from '../http/authenticate.js'
import { getParam, setNoStore } from '../http/exchange.js'
import { readFields } from '../http/request-body.js'
import type { Routes } from '../http/route.js'
import { toSecretUrlDraft } from '../http/secret-url-draft.js'
import type { SecretUrlService } from '../services/messages/secret-url-service.js'

/** Management of the account's secret URLs (README: secret URLs). */
export function createSecretUrlRoutes(urls: SecretUrlService): Routes {
  return {
    '/url': {
      GET: async ({ caller, base }) => {
        requireFullScope(caller)
        const found = await urls.list(caller.account)
        return JSON.stringify({ urls: found.map(each => toSecretUrlReply(each, urls.now(), base)) })
      },
      POST: async ({ caller, request, response, base }) => {
        requireFullScope(caller)
        const draft = toSecretUrlDraft(parseInput(secretUrlCreate, await readFields(request)))
        const { secretUrl: capability, secret } = await urls.create(caller.account, draft)
        setNoStore(response)
        const envelope = toSecretUrlReply(capability, urls.now(), base)
        const url = { ...envelope.url, url: formatSecretUrlAddress(base, secret) }
        return JSON.stringify({ ...envelope, url })
      },
    },
    '/url/:id': {
      DELETE: async ({ caller, request }) => {
        requireFullScope(caller)
        const { id } = await urls.revoke(caller.account, getParam(request, 'id'))
        return JSON.stringify({ url: { id } })
      },
    },
  }
}

function toSecretUrlReply(capability: SecretUrl, now: number, base: string): SecretUrlReply {
  const all = `${base}/api/1/url`
  return {
    url: toSecretUrlFields(capability, now),
    links: {
      list: { method: 'GET', url: all },
      new: { method: 'POST', url: all },
      delete: { method: 'DELETE', url: `${all}/${capability.id}` },
    },
  }
}

/** A secret URL as its owner sees it, without what is secret. */
export function toSecretUrlFields(capability: SecretUrl, now: number): SecretUrlFields {
  const { id, name, destinations, template, rate, expiresAt, confirm, uses } = capability
  return {
    id,
    name: name ?? null,
    destination: destinations === undefined ? null : [...destinations],
    message: template ?? null,
    rate: rate === undefined ? null : formatUsageLimit(rate),
    expires_on: expiresAt === undefined ? null : formatDateTime(expiresAt),
    confirm: confirm ?? false,
    state: isExpired(capability, now) ? 'expired' : 'active',
    created_on: formatDateTime(capability.createdAt),
    used_count: uses?.count ?? 0,
    last_used_on: uses === undefined ? null : formatDateTime(uses.lastAt),
  }
}
