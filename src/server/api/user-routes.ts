import { needFullScope, needLogin } from '../http/authenticate.js'
import { keepSecret } from '../http/exchange.js'
import type { Routes } from '../http/route.js'
import { userLinks } from './resource-json.js'

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
