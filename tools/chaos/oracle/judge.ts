import type { Accepted, History, Listed } from './history.js'
import { firstArrivals, outOfChain, outOfTime, type Span } from './order.js'

/** Findings about a history, one sentence each. tools/chaos/README.md defines the terms. */
export interface Findings {
  readonly accepted: number
  /** Number of lines in the driver's file. */
  readonly sent: number
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  /** Those that no killed phone was sending. */
  readonly needlessly: readonly string[]
  readonly missing: readonly string[]
  readonly disordered: readonly string[]
  /** Findings about received texts. */
  readonly incoming: Incoming
  /** Messages, sends or events without an accepted message, and messages that are not final. */
  readonly strange: readonly string[]
  /** Webhooks beyond the first of an event. */
  readonly repeated: number
  /** Messages that wait for a decision of a person. */
  readonly left: number
}

/** Findings about received texts. */
export interface Incoming {
  readonly texts: number
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  readonly disordered: readonly string[]
}

const eventOf = { S: 'message.sent', F: 'message.failed' } as const

/** Judges the observations of a cell. */
export function judge(history: History): Findings {
  const { accepted, sends, listed, arrivals } = history
  const webhooks = [...arrivals.values()]
  return {
    accepted: accepted.length,
    sent: sends.length,
    lost: lost(history),
    doubled: doubled(history, new Map()),
    needlessly: doubled(history, inHand(history)),
    missing: missing(history),
    disordered: disordered(history),
    incoming: incoming(history),
    strange: strange(history),
    repeated: webhooks.reduce((sum, ids) => sum + ids.length - new Set(ids).size, 0),
    left: listed.filter(({ status }) => status === 'L').length,
  }
}

function incoming({ texts, received }: History): Incoming {
  const came = new Set(texts)
  const arrived = new Set(received)
  return {
    texts: texts.length,
    lost: texts
      .filter(text => !arrived.has(text))
      .map(text => `${text} was received and is missing`),
    doubled: received
      .filter((text, at) => received.indexOf(text) !== at)
      .map(text => `${text} is listed twice`),
    disordered: [
      ...outOfChain(texts, firstArrivals(received)).map(text => `${text} was reported too early`),
      ...[...arrived].filter(text => !came.has(text)).map(text => `${text} was never received`),
    ],
  }
}

function lost({ accepted, sends, listed }: History): string[] {
  const sent = new Set(sends.map(({ text }) => text))
  const found = byId(listed)
  return accepted.flatMap(({ id, text }) => {
    const status = found.get(id)?.status
    if (status === undefined) return [`${text} (${id}) was accepted and is missing`]
    if (sent.has(text) || status === 'L' || status === 'F') return []
    return [`${text} (${id}) is ${status} and was not sent`]
  })
}

/** Counts by text, because a message may also be doubled by a repeated creation. */
function doubled({ sends }: History, allowed: ReadonlyMap<string, number>): string[] {
  const counts = countsOf(sends.map(({ text }) => text))
  return [...counts].flatMap(([text, count]) =>
    count <= 1 + (allowed.get(text) ?? 0) ? [] : [`${text} was sent ${count} times`],
  )
}

/** How often each text was the last one of a killed phone. */
function inHand({ sends, killed }: History): Map<string, number> {
  const last = new Map(sends.map(({ life, text }) => [life, text]))
  return countsOf([...last].flatMap(([life, text]) => (killed.has(life) ? [text] : [])))
}

function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

function missing({ accepted, listed, arrivals }: History): string[] {
  const found = byId(listed)
  return [...arrivals].flatMap(([name, ids]) => {
    const arrived = new Set(ids)
    return accepted
      .filter(message => isDue(name, message, found) && !arrived.has(message.id))
      .map(({ text, id }) => `${text} (${id}) has no webhook of ${name}`)
  })
}

function isDue(name: string, { id }: Accepted, found: ReadonlyMap<string, Listed>): boolean {
  if (name.startsWith('message.create')) return true
  const status = found.get(id)?.status
  return (status === 'S' || status === 'F') && name.startsWith(eventOf[status])
}

function disordered(history: History): string[] {
  return [...history.arrivals].flatMap(([name, ids]) => {
    const places = firstArrivals(ids)
    const wrong = name.startsWith('message.create')
      ? createdTooEarly(history, places)
      : name.startsWith('message.sent')
        ? sentTooEarly(history, places)
        : []
    return [...new Set(wrong)].map(id => `${id} came too early to ${name}`)
  })
}

/** Creation order is that of the list, and of requests that did not overlap. */
function createdTooEarly(
  { accepted, listed }: History,
  places: ReadonlyMap<string, number>,
): string[] {
  const spans = accepted.map(({ id, begun, ended }) => ({ id, from: begun, to: ended }))
  const chain = listed.map(({ id }) => id)
  return [...outOfChain(chain, places), ...outOfTime(spans, places)]
}

/** Order of sends: of one phone by its last attempts, of all phones by the time of their state. */
function sentTooEarly(
  { sends, listed, serial, steady }: History,
  places: ReadonlyMap<string, number>,
): string[] {
  const last = new Map(sends.map((send, at) => [send.id, { ...send, at }]))
  const ordered = [...last.values()].sort((a, b) => a.at - b.at)
  const chains = serial.flatMap(phone =>
    outOfChain(
      ordered.filter(send => send.phone === phone).map(({ id }) => id),
      places,
    ),
  )
  return [...chains, ...(steady ? outOfTime(datesOf(listed), places) : [])]
}

function datesOf(listed: readonly Listed[]): Span[] {
  return listed
    .filter(({ status }) => status === 'S')
    .map(({ id, since }) => ({ id, from: Date.parse(since), to: Date.parse(since) }))
}

function strange({ accepted, sends, listed, arrivals }: History): string[] {
  const known = new Set(accepted.map(({ id }) => id))
  const found = byId(listed)
  const unknown = (ids: readonly string[], what: string): string[] =>
    ids.filter(id => !known.has(id)).map(id => `${what} ${id}, which was not acknowledged`)
  return [
    ...unknown(
      sends.map(({ id }) => id),
      'a send of',
    ),
    ...unknown([...found.keys()], 'the list has'),
    ...[...arrivals].flatMap(([name, ids]) => unknown(ids, `a webhook of ${name} for`)),
    ...[...arrivals].flatMap(([name, ids]) => untrue(name, ids, found)),
    ...listed
      .filter(({ status }) => status === 'N' || status === 'E')
      .map(({ text, id, status }) => `${text} (${id}) is still ${status}`),
  ]
}

/** Webhooks that contradict the state of their message. */
function untrue(
  name: string,
  ids: readonly string[],
  found: ReadonlyMap<string, Listed>,
): string[] {
  const status = name.startsWith(eventOf.S) ? 'S' : name.startsWith(eventOf.F) ? 'F' : undefined
  if (status === undefined) return []
  return [...new Set(ids)]
    .filter(id => found.get(id)?.status !== status)
    .map(id => `a webhook of ${name} for ${id}, which is ${found.get(id)?.status ?? 'missing'}`)
}

function byId(listed: readonly Listed[]): Map<string, Listed> {
  return new Map(listed.map(message => [message.id, message]))
}
