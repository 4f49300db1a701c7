import {
  getAvailableTime,
  getDueTime,
  isWaiting,
  type Message,
} from '../../../../src/domain/message/message.js'
import type { QueueDepth } from '../../../../src/domain/message/queue-depth.js'

/** The waiting messages that a holder leases, the one whose lease ends last first. */
export function findHeld(messages: readonly Message[], holder: string, now: number): Message[] {
  return messages
    .filter(message => isWaiting(message) && message.lease?.holder === holder)
    .filter(({ lease }) => lease !== undefined && lease.until > now)
    .sort((a, b) => getEnd(b) - getEnd(a) || (a.id < b.id ? 1 : -1))
}

function getEnd({ lease }: Message): number {
  return lease?.until ?? 0
}

/** The depth of a queue in the order of claims, with times in whole seconds. */
export function measureDepth(queue: readonly Message[], now: number): QueueDepth {
  const isPast = (at: number) => Math.floor(at / 1000) <= Math.floor(now / 1000)
  const due = queue.filter(message => isPast(getAvailableTime(message)))
  const leased = queue.filter(({ lease }) => lease !== undefined && !isPast(lease.until))
  const [first] = due
  return {
    ...{ waiting: queue.length, due: due.length, leased: leased.length },
    ...(first === undefined ? {} : { oldestDueAt: getDueTime(first) }),
  }
}
