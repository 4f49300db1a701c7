import { parse } from '../../contract/schema/parse.js'
import {
  type SecretUrlCreate,
  type SecretUrlFields,
  type SecretUrlReply,
  secretUrlCreate,
} from '../../contract/secret-url-schema.js'
import { type Capability, isExpired } from '../../domain/account/secret-url.js'
import { formatUseRate } from '../../domain/account/usage-limit.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { needFullScope } from '../http/authenticate.js'
import { keepSecret, param } from '../http/exchange.js'
import { readFields } from '../http/request-body.js'
import type { Routes } from '../http/route.js'
import type { CapabilityDraft, SecretUrlService } from '../services/messages/secret-url-service.js'

/** Management of the account's secret URLs (README: secret URLs). */
export function urlRoutes(urls: SecretUrlService): Routes {
  return {
    '/url': {
      GET: async ({ caller, base }) => {
        needFullScope(caller)
        const found = await urls.list(caller.account)
        return JSON.stringify({ urls: found.map(each => urlEnvelope(each, urls.now(), base)) })
      },
      POST: async ({ caller, request, response, base }) => {
        needFullScope(caller)
        const draft = capabilityDraft(parse(secretUrlCreate, await readFields(request)))
        const { capability, secret } = await urls.create(caller.account, draft)
        keepSecret(response)
        const envelope = urlEnvelope(capability, urls.now(), base)
        const url = { ...envelope.url, url: secretAddress(base, secret) }
        return JSON.stringify({ ...envelope, url })
      },
    },
    '/url/:id': {
      DELETE: async ({ caller, request }) => {
        needFullScope(caller)
        const { id } = await urls.revoke(caller.account, param(request, 'id'))
        return JSON.stringify({ url: { id } })
      },
    },
  }
}

/** The whole address of a secret URL. */
export function secretAddress(base: string, secret: string): string {
  return `${base}/u/${secret}`
}

/** What a request wants of a new secret URL, in the form the service takes. */
export function capabilityDraft(draft: SecretUrlCreate): CapabilityDraft {
  const { name, destination, message, rate, expires_on, expires_in, confirm } = draft
  return {
    ...(name === undefined ? {} : { name }),
    ...(destination === undefined ? {} : { destinations: destination }),
    ...(message === undefined ? {} : { template: message }),
    ...(rate === undefined ? {} : { rate }),
    ...(expires_on === undefined ? {} : { expiresAt: expires_on }),
    ...(expires_in === undefined ? {} : { expiresIn: expires_in * 1000 }),
    ...(confirm === true ? { confirm } : {}),
  }
}

function urlEnvelope(capability: Capability, now: number, base: string): SecretUrlReply {
  const all = `${base}/api/1/url`
  return {
    url: urlFields(capability, now),
    links: {
      list: { method: 'GET', url: all },
      new: { method: 'POST', url: all },
      delete: { method: 'DELETE', url: `${all}/${capability.id}` },
    },
  }
}

/** A secret URL as its owner sees it, without what is secret. */
export function urlFields(capability: Capability, now: number): SecretUrlFields {
  const { id, name, destinations, template, rate, expiresAt, confirm, uses } = capability
  return {
    id,
    name: name ?? null,
    destination: destinations === undefined ? null : [...destinations],
    message: template ?? null,
    rate: rate === undefined ? null : formatUseRate(rate),
    expires_on: expiresAt === undefined ? null : formatDateTime(expiresAt),
    confirm: confirm ?? false,
    state: isExpired(capability, now) ? 'expired' : 'active',
    created_on: formatDateTime(capability.createdAt),
    used_count: uses?.count ?? 0,
    last_used_on: uses === undefined ? null : formatDateTime(uses.lastAt),
  }
}
