import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { RelayError } from '../../../src/errors.js'
import type { RequestHandler } from '../../../src/net/server/http-connection.js'
import type { HttpRequest } from '../../../src/net/server/http-request.js'
import type { HttpResponse } from '../../../src/net/server/http-response.js'
import { HttpServer } from '../../../src/net/server/http-server.js'
import {
  createRouter,
  mountErrorHandler,
  mountFallback,
  toRequestHandler,
} from '../../../src/server/http/express-app.js'
import type { ReportDefect } from '../../../src/server/http/http-errors.js'
import { mountRoutes, type PublicRoutes } from '../../../src/server/http/route.js'
import type { Relay } from '../../../src/server/open-relay.js'
import { openLowdbStore } from '../../../src/server/store/lowdb/lowdb-store.js'
import type { Store } from '../../../src/server/store/store.js'
import { type Caller, signInCaller } from '../../conformance/calls.js'
import { createRelay } from '../../quick-relay.js'

export type Answer = (request: HttpRequest, response: HttpResponse) => Promise<unknown>

/** Starts a server with the path `/`, and collects the defects that it reports. */
export async function serve(answer: Answer) {
  const defects: unknown[] = []
  const route = async (request: HttpRequest, response: HttpResponse) =>
    JSON.stringify(await answer(request, response))
  const handler = createTestApp({ '/': { GET: route, POST: route } }, defect =>
    defects.push(defect),
  )
  const server = new HttpServer(handler)
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => await server.close(0))
  return { server, port, url: `http://127.0.0.1:${port}/`, defects }
}

export function createTestApp(
  routes: PublicRoutes,
  reportDefect: ReportDefect = () => {},
): RequestHandler {
  const router = createRouter()
  mountRoutes(router, routes)
  mountFallback(router, async () => await Promise.reject(new RelayError('not_found', 'Nothing.')))
  mountErrorHandler(router, reportDefect)
  return toRequestHandler(router)
}

export async function startRelay(wrap: (store: Store) => Store = store => store) {
  const { at, close: stop } = await openRelay(wrap)
  onTestFinished(stop)
  return at
}

export interface Running {
  readonly relay: Relay
  readonly api: Caller
  readonly phone: Caller
  readonly defects: unknown[]
}

/** The same for several tests; the caller closes it. */
export async function openRelay(
  wrap: (store: Store) => Store = store => store,
): Promise<{ at: Running; close: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'smsrelay-http-'))
  const defects: unknown[] = []
  const relay = await createRelay(
    { dataDir, port: 0 },
    {
      openStore: async directory => wrap(await openLowdbStore(directory)),
      reportDefect: defect => defects.push(defect),
    },
  )
  await relay.start()
  const account = await relay.administration.createAccount({ email: 'ann@example.com' })
  const at = {
    relay,
    api: await signInCaller(relay.url, account.secret_key, account.api_key),
    phone: await signInCaller(relay.url, account.secret_key, account.app_key),
    defects,
  }
  const close = async () => {
    await relay.stop()
    await rm(dataDir, { recursive: true })
  }
  return { at, close }
}
