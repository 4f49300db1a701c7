import type { Message } from '../../../../domain/message/message.js'
import {
  type CountName,
  createEmptyCounts,
  type DeletedCounts,
  getOutcome,
  getQuarterHour,
} from '../../../../domain/message/message-counts.js'

type DeletedCountsDraft = DeletedCounts & Record<CountName, number>

/**
 * Counts messages that are about to be deleted, so that statistics keep them.
 *
 * @param since first quarter of an hour with counts
 * @param find finds the present counts by their identifier
 * @returns the new counts of each account and quarter of an hour
 */
export function countDeleted(
  messages: readonly Message[],
  since: number,
  find: (id: string) => DeletedCounts | undefined,
): Iterable<DeletedCounts> {
  const byId = new Map<string, DeletedCountsDraft>()
  const count = (account: string, name: CountName, at: number): void => {
    const quarter = getQuarterHour(at)
    if (quarter < since) return
    const id = `${account} ${quarter}`
    const counts = byId.get(id) ?? { ...createEmptyCounts(), id, account, quarter, ...find(id) }
    counts[name] += 1
    byId.set(id, counts)
  }
  for (const message of messages) {
    const outcome = getOutcome(message)
    count(message.account, 'created', message.createdAt)
    if (outcome !== undefined) count(message.account, outcome, message.statusAt)
  }
  return byId.values()
}
