import { isWaiting, type Message } from '../../../../../src/domain/message/message.js'

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
