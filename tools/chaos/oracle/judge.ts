import type { Accepted, History, Listed } from './history.js'
import { firstArrivals, outOfChain, outOfTime, type Span } from './order.js'

/** What a history comes to; each list says in words which and why. README.md beside this folder defines the terms. */
export interface Findings {
  readonly accepted: number
  /** Lines of the driver's file. */
  readonly sent: number
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  /** Those of them that were not in the hands of a phone when it was killed. */
  readonly needlessly: readonly string[]
  readonly missing: readonly string[]
  readonly disordered: readonly string[]
  /** Texts that came to the modem, and what went wrong with them. */
  readonly incoming: Incoming
  /** What nobody asked for: messages, sends or events that belong to no accepted message, or messages that never came to rest. */
  readonly strange: readonly string[]
  /** Hits beyond the first of an event. */
  readonly repeated: number
  /** Messages that are left for a person to decide. */
  readonly left: number
}

/** What became of the texts that came in. */
export interface Incoming {
  readonly texts: number
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  readonly disordered: readonly string[]
}

const eventOf = { S: 'message.sent', F: 'message.failed' } as const

/** Judges what was seen of a cell. */
export function judge(history: History): Findings {
  const { accepted, sends, listed, arrivals } = history
  const hits = [...arrivals.values()]
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
    repeated: hits.reduce((sum, ids) => sum + ids.length - new Set(ids).size, 0),
    left: listed.filter(({ status }) => status === 'L').length,
  }
}

function incoming({ texts, received }: History): Incoming {
  const came = new Set(texts)
  const arrived = new Set(received)
  return {
    texts: texts.length,
    lost: texts.filter(text => !arrived.has(text)).map(text => `${text} came in and is not there`),
    doubled: received
      .filter((text, at) => received.indexOf(text) !== at)
      .map(text => `${text} is there again`),
    disordered: [
      ...outOfChain(texts, firstArrivals(received)).map(text => `${text} was told of too early`),
      ...[...arrived].filter(text => !came.has(text)).map(text => `${text} never came in`),
    ],
  }
}

function lost({ accepted, sends, listed }: History): string[] {
  const sent = new Set(sends.map(({ text }) => text))
  const found = byId(listed)
  return accepted.flatMap(({ id, text }) => {
    const status = found.get(id)?.status
    if (status === undefined) return [`${text} (${id}) was accepted and is not there`]
    if (sent.has(text) || status === 'L' || status === 'F') return []
    return [`${text} (${id}) is ${status} and was not sent`]
  })
}

/** By the text, for a message may also be doubled by being accepted twice. */
function doubled({ sends }: History, allowed: ReadonlyMap<string, number>): string[] {
  const counts = countsOf(sends.map(({ text }) => text))
  return [...counts].flatMap(([text, count]) =>
    count <= 1 + (allowed.get(text) ?? 0) ? [] : [`${text} was sent ${count} times`],
  )
}

/** How often a text was the last one that a phone sent before it was killed. */
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
      .map(({ text, id }) => `${text} (${id}) has no hit of ${name}`)
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

/** Creations are in the order of the list, and of the requests as far as these did not overlap. */
function createdTooEarly(
  { accepted, listed }: History,
  places: ReadonlyMap<string, number>,
): string[] {
  const spans = accepted.map(({ id, begun, ended }) => ({ id, from: begun, to: ended }))
  const chain = listed.map(({ id }) => id)
  return [...outOfChain(chain, places), ...outOfTime(spans, places)]
}

/** Sends of a phone are reported in the order of its last attempts; those of all phones by the time of their state. */
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
    ids.filter(id => !known.has(id)).map(id => `${what} ${id}, which nobody was told of`)
  return [
    ...unknown(
      sends.map(({ id }) => id),
      'a send of',
    ),
    ...unknown([...found.keys()], 'the list has'),
    ...[...arrivals].flatMap(([name, ids]) => unknown(ids, `a hit of ${name} for`)),
    ...[...arrivals].flatMap(([name, ids]) => untrue(name, ids, found)),
    ...listed
      .filter(({ status }) => status === 'N' || status === 'E')
      .map(({ text, id, status }) => `${text} (${id}) is still ${status}`),
  ]
}

/** Hits that say of a message what it is not. */
function untrue(
  name: string,
  ids: readonly string[],
  found: ReadonlyMap<string, Listed>,
): string[] {
  const status = name.startsWith(eventOf.S) ? 'S' : name.startsWith(eventOf.F) ? 'F' : undefined
  if (status === undefined) return []
  return [...new Set(ids)]
    .filter(id => found.get(id)?.status !== status)
    .map(id => `a hit of ${name} for ${id}, which is ${found.get(id)?.status ?? 'not there'}`)
}

function byId(listed: readonly Listed[]): Map<string, Listed> {
  return new Map(listed.map(message => [message.id, message]))
}
