import { requireFullScope } from '../http/authenticate.js'
import { setNoStore } from '../http/exchange.js'
import type { Routes } from '../http/route.js'
import type { SigningSecretService } from '../services/webhooks/signing-secret-service.js'

/** The secret that signs the account's hits: read with GET, replaced with POST (extension). */
export function createSigningSecretRoutes(hookSecrets: SigningSecretService): Routes {
  return {
    '/subscription/secret': {
      GET: async ({ caller, response }) => {
        requireFullScope(caller)
        setNoStore(response)
        return JSON.stringify({ secret: await hookSecrets.get(caller.account) })
      },
      POST: async ({ caller, response }) => {
        requireFullScope(caller)
        setNoStore(response)
        return JSON.stringify({ secret: await hookSecrets.rotate(caller.account) })
      },
    },
  }
}
