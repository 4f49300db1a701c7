import type { Message } from '../../../../domain/message/message.js'
import type { BatchResult } from '../../../../domain/message/message-batch.js'
import type { EventName } from '../../../../domain/webhook/event.js'
import { RelayError } from '../../../../errors.js'
import type { DecideMessage, MessageChangeRequest } from '../../message-store.js'

export interface CombinedChange {
  readonly request: MessageChangeRequest
  readonly places: readonly number[]
  /** The results of the last run of the decisions, by place; undefined for a single change. */
  readonly results?: () => readonly BatchResult[]
}

/**
 * Combines the changes of a batch that are of the same message, since one statement can write a
 * message once. Changes of one message in a batch have the same options.
 */
export function combineChanges(requests: readonly MessageChangeRequest[]): CombinedChange[] {
  const places = new Map<string, number[]>()
  for (const [place, { account, id }] of requests.entries()) {
    const key = `${account} ${id}`
    const known = places.get(key)
    if (known === undefined) places.set(key, [place])
    else known.push(place)
  }
  return [...places.values()].map(own => combine(requests, own))
}

function combine(
  requests: readonly MessageChangeRequest[],
  places: readonly number[],
): CombinedChange {
  const [request, ...others] = places.map(place => requests[place] as MessageChangeRequest)
  if (request === undefined) throw new Error('A combined change has no place.')
  if (others.length === 0) return { request, places }
  let results: BatchResult[] = []
  const decide: DecideMessage = (current, facts) => {
    results = []
    const events: EventName[] = []
    let message: Message | null | undefined = current
    for (const each of [request, ...others]) {
      try {
        const change = each.decide(message ?? undefined, facts)
        if (change.message !== undefined) message = change.message
        events.push(...(change.events ?? []))
        results.push({ message: message ?? undefined })
      } catch (error) {
        if (!(error instanceof RelayError)) throw error
        results.push({ error })
      }
    }
    return message === current && events.length === 0 ? {} : { message: message ?? null, events }
  }
  return { request: { ...request, decide }, places, results: () => results }
}
