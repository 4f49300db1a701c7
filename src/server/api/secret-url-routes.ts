import { parseInput } from '../../contract/schema/parse.js'
import { formatSecretUrlAddress } from '../../contract/secret-url/secret-url-address.js'
import { secretUrlCreate } from '../../contract/secret-url/secret-url-schema.js'
import { isExpired, type SecretUrl } from '../../domain/account/secret-url.js'
import { formatUsageLimit } from '../../domain/account/usage-limit.js'
import { limits } from '../../domain/limits.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { secretUrl } from '../../resources/secret-url.js'
import { readFields } from '../http/request-body.js'
import { type RouteHandlers, setNoStore } from '../http/route.js'
import { toSecretUrlDraft } from '../http/secret-url-draft.js'
import type { ServerContext } from '../http/server-context.js'
import { createResourceHandlers, toEntry } from './resource-routes.js'

export function createSecretUrlHandlers({
  secretUrls,
}: ServerContext): RouteHandlers<'listSecretUrls' | 'createSecretUrl' | 'revokeSecretUrl'> {
  return {
    ...createResourceHandlers(secretUrl, {
      getPage: async (account, query) => await secretUrls.getPage(account, query),
      describe: async () => {
        const now = secretUrls.now()
        return ({ record }) => describeTerms(record as SecretUrl, now)
      },
      remove: async (account, id) => await secretUrls.revoke(account, id),
    }),
    createSecretUrl: async ({ caller, request, response, base }) => {
      const draft = toSecretUrlDraft(parseInput(secretUrlCreate, await readFields(request)))
      const { secretUrl: record, secret } = await secretUrls.create(caller.account, draft)
      setNoStore(response)
      const said = describeTerms(record, secretUrls.now())
      const url = formatSecretUrlAddress(base, secret)
      return JSON.stringify(toEntry(secretUrl, base, record, { ...said, url }))
    },
  }
}

function describeTerms(terms: SecretUrl, now: number) {
  const { length = limits.text, rate, uses } = terms
  return {
    max_length: length,
    rate: rate === undefined ? null : formatUsageLimit(rate),
    confirm: terms.confirm ?? false,
    state: isExpired(terms, now) ? 'expired' : 'active',
    used_count: uses?.count ?? 0,
    last_used_on: uses === undefined ? null : formatDateTime(uses.lastAt),
  }
}
