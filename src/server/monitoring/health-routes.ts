import type { HttpResponse, Json } from '../../net/server/http-response.js'
import type { PublicRoutes } from '../http/route.js'
import type { ReadinessService } from '../services/readiness-service.js'

/**
 * Creates the routes that balancers and supervisors ask, without a token. `/healthz` asks nobody:
 * the reply says that the event loop turns. `/readyz` replies 503 with the failed checks.
 */
export function createHealthRoutes(
  readiness: Pick<ReadinessService, 'listFailures'>,
): PublicRoutes {
  return {
    '/healthz': { GET: async (_, response) => sendState(response, 200, { status: 'ok' }) },
    '/readyz': {
      GET: async (_, response) => {
        const failed = await readiness.listFailures()
        if (failed.length === 0) return sendState(response, 200, { status: 'ready' })
        return sendState(response, 503, { status: 'not_ready', failed })
      },
    },
  }
}

function sendState(response: HttpResponse, status: number, state: object): Json | undefined {
  response.setHeader('Cache-Control', 'no-store')
  response.sendJson(status, JSON.stringify(state))
  return undefined
}
