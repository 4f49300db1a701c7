import type { RequestHandler } from '../../net/server/http-connection.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import type { Clock } from '../../util/async/clock.js'
import type { Histogram } from '../../util/collections/histogram.js'
import type { Metrics } from '../../util/collections/metrics.js'

interface RequestObservers {
  readonly metrics: Metrics
  readonly clock: Pick<Clock, 'monotonic'>
}

interface RouteCounts {
  readonly labels: string
  readonly durations: Histogram
  readonly statuses: Map<number, number>
}

const methods = new Set(['NEXT', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const unknownRoute = 'none'

/**
 * Counts the requests of a handler by method, route and status, and how long their replies take to
 * begin. A request whose client leaves before that does not count.
 */
export function observeRequests(
  handler: RequestHandler,
  { metrics, clock }: RequestObservers,
): RequestHandler {
  const counts = new RequestCounts(metrics)
  metrics.addSource(() => counts.publish())
  return (request, response) => {
    const startedAt = clock.monotonic()
    response.onHead = status => {
      const milliseconds = clock.monotonic() - startedAt - request.waited
      counts.count(request, status, Math.max(milliseconds, 0) / 1000)
    }
    handler(request, response)
  }
}

class RequestCounts {
  readonly #metrics: Metrics
  readonly #routes = new Map<string, Map<string, RouteCounts>>()

  constructor(metrics: Metrics) {
    this.#metrics = metrics
  }

  count({ route, method }: HttpRequest, status: number, seconds: number): void {
    const path = route === undefined ? unknownRoute : route.path
    const counts = this.#routes.get(path)?.get(method) ?? this.#add(path, method)
    counts.durations.observe(seconds)
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1)
  }

  publish(): void {
    for (const { labels, statuses } of [...this.#routes.values()].flatMap(each => [
      ...each.values(),
    ])) {
      for (const [status, count] of statuses) {
        this.#metrics.set(`http_requests_total{${labels},status="${status}"}`, count)
      }
    }
  }

  #add(path: string, method: string): RouteCounts {
    const name = methods.has(method) ? method : 'other'
    const byMethod = this.#routes.get(path) ?? new Map<string, RouteCounts>()
    this.#routes.set(path, byMethod)
    const labels = `method="${name}",route="${path}"`
    const counts = byMethod.get(name) ?? {
      labels,
      durations: this.#metrics.histogram(`http_request_duration_seconds{${labels}}`),
      statuses: new Map<number, number>(),
    }
    byMethod.set(name, counts)
    return counts
  }
}
