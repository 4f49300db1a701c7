import type { AcceptedMessage, History, ListedMessage } from './history.js'
import { findFirstArrivals, findOutOfOrder, findOutOfTime, type Span } from './order.js'

/** The result of a check; each text names one finding. README.md defines the terms. */
export interface Findings {
  readonly accepted: number
  /** Lines of the driver's file. */
  readonly sent: number
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  /** Doubled texts that no killed phone was sending. */
  readonly unexcused: readonly string[]
  readonly missing: readonly string[]
  /** Sent messages that the network delivered and the relay does not show as delivered. */
  readonly unconfirmed: readonly string[]
  readonly disordered: readonly string[]
  readonly receivedTexts: ReceivedTexts
  /**
   * Messages, sent texts or events without an accepted message, and messages that are not final.
   */
  readonly unexplained: readonly string[]
  /** Webhooks beyond the first of an event. */
  readonly repeated: number
  /** Messages that wait for a decision of a person (L). */
  readonly locked: number
}

/** Texts that arrived at the modem, and their findings. */
export interface ReceivedTexts {
  readonly texts: number
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  readonly disordered: readonly string[]
}

const eventByStatus = { S: 'message.sent', F: 'message.failed' } as const

/** Checks what was observed of a scenario. */
export function checkHistory(history: History): Findings {
  const { accepted, sends, listed, arrivals } = history
  const webhooks = [...arrivals.values()]
  return {
    accepted: accepted.length,
    sent: sends.length,
    lost: findLost(history),
    doubled: findDoubled(history, new Map()),
    unexcused: findDoubled(history, countInProgress(history)),
    missing: findMissingEvents(history),
    unconfirmed: findUnconfirmed(history),
    disordered: findDisordered(history),
    receivedTexts: checkReceivedTexts(history),
    unexplained: findUnexplained(history),
    repeated: webhooks.reduce((sum, ids) => sum + ids.length - new Set(ids).size, 0),
    locked: listed.filter(({ status }) => status === 'L').length,
  }
}

function checkReceivedTexts({ simTexts, received }: History): ReceivedTexts {
  const known = new Set(simTexts)
  const arrived = new Set(received)
  return {
    texts: simTexts.length,
    lost: simTexts
      .filter(text => !arrived.has(text))
      .map(text => `${text} was received and is missing`),
    doubled: received
      .filter((text, at) => received.indexOf(text) !== at)
      .map(text => `${text} is listed twice`),
    disordered: [
      ...findOutOfOrder(simTexts, findFirstArrivals(received)).map(
        text => `${text} was reported too early`,
      ),
      ...[...arrived]
        .filter(text => !known.has(text))
        .map(text => `${text} is listed and was never received`),
    ],
  }
}

function findLost({ accepted, sends, listed }: History): string[] {
  const sent = new Set(sends.map(({ text }) => text))
  const found = indexById(listed)
  return accepted.flatMap(({ id, text }) => {
    const status = found.get(id)?.status
    if (status === undefined) return [`${text} (${id}) was accepted and is missing`]
    if (sent.has(text) || status === 'L' || status === 'F') return []
    return [`${text} (${id}) is ${status} and was not sent`]
  })
}

/** Compares texts, not identifiers: a message that was accepted twice is also doubled. */
function findDoubled({ sends }: History, allowed: ReadonlyMap<string, number>): string[] {
  const counts = countTexts(sends.map(({ text }) => text))
  return [...counts].flatMap(([text, count]) =>
    count <= 1 + (allowed.get(text) ?? 0) ? [] : [`${text} was sent ${count} times`],
  )
}

/** How often a text was one of the last that a phone sent before it was killed: its window. */
function countInProgress({ sends, killed, window = 1 }: History): Map<string, number> {
  const lives = [...killed].map(life => sends.filter(each => each.life === life).slice(-window))
  return countTexts(lives.flat().map(({ text }) => text))
}

function countTexts(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

function findMissingEvents({ accepted, listed, arrivals }: History): string[] {
  const found = indexById(listed)
  return [...arrivals].flatMap(([name, ids]) => {
    const arrived = new Set(ids)
    return accepted
      .filter(message => isDue(name, message, found) && !arrived.has(message.id))
      .map(({ text, id }) => `${text} (${id}) has no webhook of ${name}`)
  })
}

/** Sent messages that the network delivered and the relay does not show as delivered. */
export function findUnconfirmed({
  listed,
  delivered,
}: Pick<History, 'listed' | 'delivered'>): string[] {
  return listed
    .filter(({ status, text, delivery }) => {
      return status === 'S' && delivered?.has(text) === true && delivery !== 'delivered'
    })
    .map(({ text, id, delivery }) => `${text} (${id}) was delivered and is ${delivery ?? 'sent'}`)
}

function isDue(
  name: string,
  { id }: AcceptedMessage,
  found: ReadonlyMap<string, ListedMessage>,
): boolean {
  if (name.startsWith('message.create')) return true
  const status = found.get(id)?.status
  return (status === 'S' || status === 'F') && name.startsWith(eventByStatus[status])
}

function findDisordered(history: History): string[] {
  return [...history.arrivals].flatMap(([name, ids]) => {
    const places = findFirstArrivals(ids)
    const wrong = name.startsWith('message.create')
      ? findCreatedTooEarly(history, places)
      : name.startsWith('message.sent')
        ? findSentTooEarly(history, places)
        : []
    return [...new Set(wrong)].map(id => `${id} arrived too early at ${name}`)
  })
}

/** Creations must arrive in the order of the list and of their requests, unless these overlap. */
function findCreatedTooEarly(
  { accepted, listed }: History,
  places: ReadonlyMap<string, number>,
): string[] {
  const spans = accepted.map(({ id, begun, ended }) => ({ id, from: begun, to: ended }))
  const chain = listed.map(({ id }) => id)
  return [...findOutOfOrder(chain, places), ...findOutOfTime(spans, places)]
}

/**
 * Events of one phone must arrive in the order of its last attempts; all events in the order of
 * `status_date`.
 */
function findSentTooEarly(
  { sends, listed, serialPhones, hasSteadyClock }: History,
  places: ReadonlyMap<string, number>,
): string[] {
  const last = new Map(sends.map((send, at) => [send.id, { ...send, at }]))
  const ordered = [...last.values()].sort((a, b) => a.at - b.at)
  const chains = serialPhones.flatMap(phone =>
    findOutOfOrder(
      ordered.filter(send => send.phone === phone).map(({ id }) => id),
      places,
    ),
  )
  return [...chains, ...(hasSteadyClock ? findOutOfTime(getSentTimes(listed), places) : [])]
}

function getSentTimes(listed: readonly ListedMessage[]): Span[] {
  return listed
    .filter(({ status }) => status === 'S')
    .map(({ id, statusDate }) => {
      const time = Date.parse(statusDate)
      return { id, from: time, to: time }
    })
}

function findUnexplained({ accepted, sends, listed, arrivals }: History): string[] {
  const known = new Set(accepted.map(({ id }) => id))
  const found = indexById(listed)
  const unknown = (ids: readonly string[], what: string): string[] =>
    ids.filter(id => !known.has(id)).map(id => `${what} ${id}, which was never accepted`)
  return [
    ...unknown(
      sends.map(({ id }) => id),
      'the driver sent',
    ),
    ...unknown([...found.keys()], 'the list contains'),
    ...[...arrivals].flatMap(([name, ids]) => unknown(ids, `a webhook of ${name} for`)),
    ...[...arrivals].flatMap(([name, ids]) => findUntrueWebhooks(name, ids, found)),
    ...listed
      .filter(({ status }) => status === 'N' || status === 'E')
      .map(({ text, id, status }) => `${text} (${id}) is still ${status}`),
  ]
}

/** Webhooks that contradict the final status of their message. */
function findUntrueWebhooks(
  name: string,
  ids: readonly string[],
  found: ReadonlyMap<string, ListedMessage>,
): string[] {
  const status = name.startsWith(eventByStatus.S)
    ? 'S'
    : name.startsWith(eventByStatus.F)
      ? 'F'
      : undefined
  if (status === undefined) return []
  return [...new Set(ids)]
    .filter(id => found.get(id)?.status !== status)
    .map(id => `a webhook of ${name} for ${id}, which is ${found.get(id)?.status ?? 'missing'}`)
}

function indexById(listed: readonly ListedMessage[]): Map<string, ListedMessage> {
  return new Map(listed.map(message => [message.id, message]))
}
