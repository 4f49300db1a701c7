import { checkSubscription, type ProcessedEvent } from '../events/check-subscription.js'
import type { EventRecord } from '../harness/integrator.js'
import type { AcceptedMessage, ListedMessage, SentText } from '../oracle/history.js'
import { findFirstArrivals, findOutOfTime } from '../oracle/order.js'

/** Everything that was observed of a cluster from outside. */
export interface ClusterHistory {
  readonly accepted: readonly AcceptedMessage[]
  readonly sends: readonly SentText[]
  readonly listed: readonly ListedMessage[]
  readonly recorded: readonly EventRecord[]
  /** The webhooks of each subscription, by its event. */
  readonly arrivals: ReadonlyMap<string, readonly ProcessedEvent[]>
  /** The sequences that the follower of the event stream got, in order. */
  readonly followed: readonly number[]
}

/** The result of a check; each text names one finding. */
export interface ClusterFindings {
  readonly accepted: number
  readonly sent: number
  readonly events: number
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  readonly missing: readonly string[]
  readonly disordered: readonly string[]
  readonly unexplained: readonly string[]
  /** Webhooks beyond the first of an event. */
  readonly repeated: number
}

/** Checks what was observed of a cluster. */
export function checkCluster(history: ClusterHistory): ClusterFindings {
  const { accepted, sends, recorded } = history
  const checks = [...history.arrivals].map(([name, arrivals]) =>
    checkSubscription({
      name,
      acknowledged: accepted.map(({ id }) => id),
      recorded: recorded
        .filter(({ event }) => event === name)
        .map(({ sequence, message }) => ({ sequence, message: message.id })),
      arrivals,
    }),
  )
  return {
    accepted: accepted.length,
    sent: sends.length,
    events: recorded.length,
    lost: findLost(history),
    doubled: findDoubled(history),
    missing: [...findUnrecorded(history), ...checks.flatMap(({ lost }) => lost)],
    disordered: [...findDisordered(history), ...checks.flatMap(({ reordered }) => reordered)],
    unexplained: checks.flatMap(({ unexplained }) => unexplained),
    repeated: checks.reduce((sum, { doubled }) => sum + doubled, 0),
  }
}

function findLost({ accepted, sends, listed }: ClusterHistory): string[] {
  const statuses = new Map(listed.map(({ id, status }) => [id, status]))
  const sent = new Set(sends.map(({ id }) => id))
  return accepted.flatMap(({ id, text }) => {
    const status = statuses.get(id)
    if (status === undefined) return [`${text} (${id}) was accepted and is missing`]
    if (status !== 'S' || !sent.has(id)) return [`${text} (${id}) is ${status} and must be sent`]
    return []
  })
}

/** Texts that were sent more than once, and requests that made two messages. */
function findDoubled({ sends, listed }: ClusterHistory): string[] {
  const find = (texts: readonly string[], what: string): string[] =>
    texts.filter((text, at) => texts.indexOf(text) !== at).map(text => `${text} was ${what} twice`)
  return [
    ...find(
      sends.map(({ text }) => text),
      'sent',
    ),
    ...find(
      listed.map(({ text }) => text),
      'created',
    ),
  ]
}

/** Each message has one event of its creation and one of its success, and numbers have no gap. */
function findUnrecorded({ accepted, recorded, followed }: ClusterHistory): string[] {
  const counts = new Map<string, number>()
  for (const { event, message } of recorded) {
    const key = `${event} ${message.id}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const wrong = accepted.flatMap(({ id, text }) =>
    ['message.create', 'message.sent']
      .map(event => ({ event, count: counts.get(`${event} ${id}`) ?? 0 }))
      .filter(({ count }) => count !== 1)
      .map(({ event, count }) => `${text} (${id}) has ${count} events ${event}`),
  )
  const gaps = recorded
    .filter(({ sequence }, at) => at > 0 && sequence !== (recorded[at - 1]?.sequence ?? 0) + 1)
    .map(({ sequence }) => `the events have a gap before ${sequence}`)
  const streamed = new Set(followed)
  const unseen = recorded
    .filter(({ sequence }) => !streamed.has(sequence))
    .map(({ sequence }) => `the stream never had event ${sequence}`)
  return [...wrong, ...gaps, ...unseen]
}

/** Events in another order than their requests, and the stream in another order than the events. */
function findDisordered({ accepted, recorded, followed }: ClusterHistory): string[] {
  const created = recorded.filter(({ event }) => event === 'message.create')
  const places = findFirstArrivals(created.map(({ message }) => message.id))
  const spans = accepted.map(({ id, begun, ended }) => ({ id, from: begun, to: ended }))
  return [
    ...findOutOfTime(spans, places).map(id => `${id} was created before an earlier one`),
    ...followed
      .filter((sequence, at) => at > 0 && sequence <= (followed[at - 1] ?? 0))
      .map(sequence => `the stream had event ${sequence} after a later one`),
  ]
}
