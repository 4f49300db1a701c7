/** The size of a run. */
export interface Scale {
  /** The minimum number of events. */
  readonly events: number
  /** Small accounts have two subscriptions, large ones five. */
  readonly smallAccounts: number
  readonly largeAccounts: number
  /** SIGKILLs of the relay: half at random moments, half at crash points. */
  readonly kills: number
  /** The maximum number of timeouts of each subscription. */
  readonly timeOuts: number
}

/** `npm run chaos -- --events`: 50 subscriptions of 22 accounts. */
export const fullScale: Scale = {
  events: 100_000,
  smallAccounts: 20,
  largeAccounts: 2,
  kills: 20,
  timeOuts: 2,
}

/** The run that follows the matrix. */
export const mediumScale: Scale = { ...fullScale, events: 20_000 }

/** A run of a few seconds. */
export const quickScale: Scale = {
  events: 160,
  smallAccounts: 1,
  largeAccounts: 1,
  kills: 4,
  timeOuts: 0,
}

export interface SubscriptionPlan {
  readonly event: string
  readonly method: string
  readonly post: boolean
}

const methods = ['POST', 'PUT', 'PING', 'GET', 'PATCH', 'NEXT', 'DELETE', 'NOTIFY'] as const
const smallEvents = ['message.create', 'message.sent'] as const
const largeEvents = [...smallEvents, 'message.failed', 'message.blocked', 'message.create'] as const

/** The subscriptions of each account. */
export function planSubscriptions({
  smallAccounts: pairs,
  largeAccounts: fives,
}: Scale): SubscriptionPlan[][] {
  let count = 0
  const accounts = [
    ...Array(fives).fill(largeEvents),
    ...Array(pairs).fill(smallEvents),
  ] as (readonly string[])[]
  return accounts.map(events =>
    events.map(event => {
      count += 1
      return { event, method: methods[count % methods.length] ?? 'POST', post: count % 3 !== 0 }
    }),
  )
}

/** Each message causes two events. */
export function countMessagesPerAccount({
  events,
  smallAccounts: pairs,
  largeAccounts: fives,
}: Scale): number {
  return Math.ceil(events / 2 / (pairs + fives))
}
