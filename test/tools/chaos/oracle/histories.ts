import type { History, ListedMessage } from '../../../../tools/chaos/oracle/history.js'

/** Message identifiers of the good history, in order of creation. */
export const ids = ['a', 'b', 'c', 'd', 'e'] as const

/** A history without faults: one phone sent five messages, which were created one after another. */
export function createGoodHistory(changes: Partial<History> = {}): History {
  return {
    mode: 'at-least-once',
    accepted: ids.map((id, at) => ({ id, text: `text ${id}`, begun: at * 10, ended: at * 10 + 5 })),
    sends: ids.map(id => createSend(id)),
    killed: new Set(),
    listed: ids.map((id, at) => createListed(id, 'S', at)),
    arrivals: createArrivals({}),
    simTexts: [],
    received: [],
    serialPhones: ['phone'],
    hasSteadyClock: true,
    ...changes,
  }
}

export function createSend(id: string, phone = 'phone', life = 1): History['sends'][number] {
  return { phone, life: `${phone}/${life}`, id, text: `text ${id}` }
}

/** A message of the final list, in its status since second `at`. */
export function createListed(id: string, status: ListedMessage['status'], at = 0): ListedMessage {
  return { id, text: `text ${id}`, status, statusDate: `2026-01-01 00:00:0${at}` }
}

/** The webhooks of each subscription; by default all of them, in order. */
export function createArrivals(
  changes: Readonly<Record<string, readonly string[]>>,
): History['arrivals'] {
  return new Map(
    Object.entries({
      'message.create': ids,
      'message.sent': ids,
      'message.sent.query': ids,
      'message.failed': [],
      ...changes,
    }),
  )
}

export function replaceItem<T>(list: readonly T[], at: number, ...by: readonly T[]): T[] {
  return list.toSpliced(at, 1, ...by)
}
