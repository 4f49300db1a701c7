import { requireFullScope, requireLogin } from '../http/authenticate.js'
import { setNoStore } from '../http/exchange.js'
import type { Routes } from '../http/route.js'
import { createUserLinks } from './resource-json.js'

/** The user resource (SPEC.md section 4.4). */
export function createUserRoutes(): Routes {
  return {
    '/user': {
      GET: async ({ caller, base }) => {
        requireFullScope(caller)
        return JSON.stringify({
          user: { email: caller.account.email },
          links: createUserLinks(base),
        })
      },
    },
    '/user/app': {
      GET: async ({ caller, response, base }) => {
        requireLogin(caller)
        setNoStore(response)
        const { appKey, secretKey } = caller.account
        const user = { app_key: appKey, secret_key: secretKey }
        return JSON.stringify({ user, links: createUserLinks(base) })
      },
    },
  }
}
