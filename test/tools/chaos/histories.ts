import type { History, Listed } from '../../../tools/chaos/oracle/history.js'

/** Identifiers of the messages, in order of creation. */
export const ids = ['a', 'b', 'c', 'd', 'e'] as const

/** A history in which five messages were created one after the other, and sent by one phone. */
export function goodHistory(changes: Partial<History> = {}): History {
  return {
    mode: 'at-least-once',
    accepted: ids.map((id, at) => ({ id, text: `text ${id}`, begun: at * 10, ended: at * 10 + 5 })),
    sends: ids.map(id => sendOf(id)),
    killed: new Set(),
    listed: ids.map((id, at) => listedAs(id, 'S', at)),
    arrivals: arrivalsOf({}),
    texts: [],
    received: [],
    serial: ['phone'],
    steady: true,
    ...changes,
  }
}

/** A line of the driver's file. */
export function sendOf(id: string, phone = 'phone', life = 1): History['sends'][number] {
  return { phone, life: `${phone}/${life}`, id, text: `text ${id}` }
}

/** A message in the final list, in its state since second `at`. */
export function listedAs(id: string, status: Listed['status'], at = 0): Listed {
  return { id, text: `text ${id}`, status, since: `2026-01-01 00:00:0${at}` }
}

/** Arrivals at each subscription; by default all in order. */
export function arrivalsOf(
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

/** A copy of a list with one element replaced. */
export function replaced<T>(list: readonly T[], at: number, ...by: readonly T[]): T[] {
  return list.toSpliced(at, 1, ...by)
}
