// What machines that watch the relay ask it, without an account.
//
// 1. health-routes: `/healthz` and `/readyz`, for supervisors and balancers.
// 2. relay-monitoring: `/metrics`, on a port of its own and, for the bearer of a token, on the
//    relay's. It loads prom-client only then.
// 3. The relay counts in plain numbers (util/collections/metrics); request-metrics counts requests.
//    relay-gauges asks services and store when somebody asks for metrics.
// 4. prometheus formats all of it by metric-definitions.
//
// docs/operate/monitoring.md describes every metric.
import { timingSafeEqual } from 'node:crypto'
import { RelayError } from '../../errors.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import type { HttpResponse } from '../../net/server/http-response.js'
import { HttpServer } from '../../net/server/http-server.js'
import { formatListenUrl } from '../../net/server/listen-target.js'
import type { Clock } from '../../util/async/clock.js'
import type { Metrics } from '../../util/collections/metrics.js'
import { hashText } from '../../util/crypto/secrets.js'
import type { MetricsConfig } from '../config/relay-config.js'
import { type HostSettings, refuseForeignHosts } from '../http/base-address.js'
import {
  createRouter,
  mountErrorHandler,
  mountFallback,
  toRequestHandler,
} from '../http/express-app.js'
import type { ReportDefect } from '../http/http-errors.js'
import { mountRoutes, type PublicRoutes } from '../http/route.js'
import type { ReadinessService } from '../services/readiness-service.js'
import { createHealthRoutes } from './health-routes.js'

export interface MonitoringParts {
  readonly config: MetricsConfig
  readonly hosts: HostSettings
  readonly metrics: Metrics
  readonly clock: Clock
  readonly readiness: Pick<ReadinessService, 'listFailures'>
  readonly reportDefect: ReportDefect
}

/** Milliseconds that metrics wait for a store that does not answer. */
const patience = 3000
/** Milliseconds that requests for metrics in progress have at the end. */
const grace = 1000

export class RelayMonitoring {
  readonly #parts: MonitoringParts
  #format: Promise<() => Promise<string>> | undefined
  #server: HttpServer | undefined

  constructor(parts: MonitoringParts) {
    this.#parts = parts
  }

  /**
   * Starts to measure the process, and opens the port for metrics if there is one; resolves to its
   * URL. Throws `configuration` if it cannot listen.
   */
  async start(): Promise<string | undefined> {
    const { config, hosts, clock, readiness, reportDefect } = this.#parts
    this.#format ??= this.#load()
    await this.#format
    const { listen } = config
    if (listen === undefined) return undefined
    const router = createRouter()
    mountRoutes(router, createHealthRoutes(readiness))
    mountRoutes(router, { '/metrics': { GET: async (_, response) => await this.#send(response) } })
    mountFallback(router, rejectPath)
    mountErrorHandler(router, reportDefect)
    const getAddress = () => server.address?.address
    const handler = refuseForeignHosts(hosts, getAddress, toRequestHandler(router))
    const server = new HttpServer(handler, { clock })
    await server.listen(listen)
    this.#server = server
    return `${formatListenUrl('http', listen, server.address)}/metrics`
  }

  /** Closes the port for metrics: the last one of the relay, so that its stop can be watched. */
  async stop(): Promise<void> {
    await this.#server?.close(grace)
  }

  createRoutes(): PublicRoutes {
    const { token } = this.#parts.config
    if (token === undefined) return {}
    return {
      '/metrics': {
        GET: async (request, response) => {
          requireBearer(request, token)
          return await this.#send(response)
        },
      },
    }
  }

  async #load(): Promise<() => Promise<string>> {
    const { createPrometheusFormat } = await import('./prometheus.js')
    return createPrometheusFormat(this.#parts.metrics)
  }

  async #send(response: HttpResponse): Promise<undefined> {
    this.#format ??= this.#load()
    const format = await this.#format
    await this.#collect()
    response.send(
      200,
      { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
      await format(),
    )
  }

  /** A store that hangs delays metrics for some time only. */
  async #collect(): Promise<void> {
    const { metrics, clock } = this.#parts
    let cancel = (): void => {}
    const expired = new Promise<void>(resolve => {
      cancel = clock.after(patience, resolve)
    })
    await Promise.race([metrics.collect(), expired]).finally(cancel)
  }
}

/** Throws `invalid_token` unless the request has the token (RFC 6750 section 2.1). */
function requireBearer({ headers }: HttpRequest, token: string): void {
  const given = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  const [a, b] = [given, token].map(text => Buffer.from(hashText(text))) as [Buffer, Buffer]
  if (timingSafeEqual(a, b)) return
  throw new RelayError('invalid_token', 'Metrics need the token SMSRELAY_METRICS_TOKEN.')
}

async function rejectPath(): Promise<never> {
  throw new RelayError('not_found', 'This port serves /metrics, /healthz and /readyz.')
}
