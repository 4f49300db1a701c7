import { blocklistEntry } from '../contract/blocklist.js'
import { parse } from '../contract/parse.js'
import type { BlocklistService } from '../services/blocklist.js'
import type { Caller } from '../services/tokens.js'
import { needFullScope, needLogin } from './auth.js'
import { readFields } from './body.js'
import { keepSecret, param } from './exchange.js'
import { blockFields, userLinks } from './present.js'
import type { Routes } from './routes.js'

/** The user resource (SPEC.md section 4.4). */
export function userRoutes(): Routes {
  return {
    '/user': {
      GET: async ({ caller, base }) => {
        needFullScope(caller)
        return JSON.stringify({ user: { email: caller.account.email }, links: userLinks(base) })
      },
    },
    '/user/app': {
      GET: async ({ caller, response, base }) => {
        needLogin(caller)
        keepSecret(response)
        const { appKey, secretKey } = caller.account
        const user = { app_key: appKey, secret_key: secretKey }
        return JSON.stringify({ user, links: userLinks(base) })
      },
    },
  }
}

/** The account's Do Not Text list (extension). */
export function blocklistRoutes(blocklist: BlocklistService): Routes {
  return {
    '/blocklist': {
      GET: async ({ caller }) => {
        needFullScope(caller)
        const own = await blocklist.list(scopeOf(caller))
        return JSON.stringify({ entries: own.map(entry => ({ entry: blockFields(entry) })) })
      },
      POST: async ({ caller, request }) => {
        needFullScope(caller)
        const { number } = parse(blocklistEntry, await readFields(request))
        const added = await blocklist.add(scopeOf(caller), number)
        return JSON.stringify({ entry: blockFields(added) })
      },
    },
    '/blocklist/:number': {
      DELETE: async ({ caller, request }) => {
        needFullScope(caller)
        const removed = await blocklist.remove(scopeOf(caller), param(request, 'number'))
        return JSON.stringify({ entry: blockFields(removed) })
      },
    },
  }
}

function scopeOf(caller: Caller): { scope: string; country: string } {
  return { scope: caller.account.id, country: caller.account.country }
}
