import { needFullScope } from '../http/authenticate.js'
import { keepSecret } from '../http/exchange.js'
import type { Routes } from '../http/route.js'
import type { HookSecretService } from '../services/webhooks/signing-secret-service.js'

/** The secret that signs the account's hits: read with GET, replaced with POST (extension). */
export function hookSecretRoutes(hookSecrets: HookSecretService): Routes {
  return {
    '/subscription/secret': {
      GET: async ({ caller, response }) => {
        needFullScope(caller)
        keepSecret(response)
        return JSON.stringify({ secret: await hookSecrets.get(caller.account) })
      },
      POST: async ({ caller, response }) => {
        needFullScope(caller)
        keepSecret(response)
        return JSON.stringify({ secret: await hookSecrets.rotate(caller.account) })
      },
    },
  }
}
