import type { EventName } from '../../domain/webhook/event.js'
import type { ClaimService } from '../services/phones/claim-service.js'
import type { PhoneService } from '../services/phones/phone-service.js'
import type { ReadinessService } from '../services/readiness-service.js'
import type { ServiceContext } from '../services/service-context.js'
import type { EventService } from '../services/webhooks/event-service.js'

export interface MonitoredServices {
  readonly claims: Pick<ClaimService, 'waiting'>
  readonly events: Pick<EventService, 'streams'>
  readonly phones: Pick<PhoneService, 'countByState'>
  readonly readiness: ReadinessService
}

const settled: Partial<Record<EventName, string>> = {
  'message.sent': 'sent',
  'message.failed': 'failed',
  'message.blocked': 'blocked',
}

type Gauges = Readonly<Record<string, number>>

export function addRelayGauges(context: ServiceContext, services: MonitoredServices): void {
  countSettled(context)
  addGauges(context, async () => ({
    next_waiting: services.claims.waiting,
    event_streams: services.events.streams,
  }))
  addGauges(context, async () => {
    const failure = await services.readiness.findStoreFailure()
    const failures = await services.readiness.listFailures()
    return { store_writable: failure === undefined ? 1 : 0, ready: failures.length === 0 ? 1 : 0 }
  })
  addGauges(context, async () => await countMessages(context))
  addGauges(context, async () => await measureBacklog(context))
  addGauges(context, async () => {
    const { bytes } = await context.store.deliveryLog.getState()
    return { store_delivery_log_bytes: bytes }
  })
  addGauges(context, async () => {
    const counts = await services.phones.countByState()
    return toGauges('phones', counts)
  })
}

/** While a source of gauges fails, they are missing: old values would hide that. */
function addGauges({ metrics }: ServiceContext, read: () => Promise<Gauges>): void {
  let names: readonly string[] = []
  metrics.addSource(async () => {
    for (const name of names) metrics.remove(name)
    const gauges = await read()
    names = Object.keys(gauges)
    for (const [name, value] of Object.entries(gauges)) metrics.set(name, value)
  })
}

function countSettled({ store, metrics }: ServiceContext): void {
  const count = (status: string, by: number): void => {
    metrics.increment(`messages_settled_total{status="${status}"}`, by)
  }
  store.watch(({ events, foreign }) => {
    if (foreign !== undefined) return
    for (const event of events) {
      const status = settled[event]
      if (status !== undefined) count(status, 1)
    }
  })
}

async function countMessages({ store, clock }: ServiceContext): Promise<Gauges> {
  const now = clock.now()
  const depth = await store.messages.getQueueDepth(undefined, now)
  const { waiting, due, leased, oldestDueAt = now } = depth
  const scheduled = Math.max(waiting - due - leased, 0)
  return {
    ...toGauges('messages', { due, leased, scheduled }),
    oldest_due_age_seconds: Math.max(now - oldestDueAt, 0) / 1000,
  }
}

async function measureBacklog({ store, clock }: ServiceContext): Promise<Gauges> {
  const now = clock.now()
  const events = { active: 0, retrying: 0, paused: 0 }
  const oldest = { active: now, retrying: now, paused: now }
  for (const backlog of await store.subscriptions.listBacklogs()) {
    events[backlog.state] += backlog.events
    oldest[backlog.state] = Math.min(oldest[backlog.state], backlog.oldestAt ?? now)
  }
  const lags = Object.entries(oldest).map(([state, at]) => [state, (now - at) / 1000])
  return {
    ...toGauges('webhook_backlog_events', events),
    ...toGauges('webhook_lag_seconds', Object.fromEntries(lags)),
  }
}

function toGauges(name: string, counts: Gauges): Gauges {
  const entries = Object.entries(counts)
  return Object.fromEntries(entries.map(([state, count]) => [`${name}{state="${state}"}`, count]))
}
