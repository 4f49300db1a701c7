/** The size of a run. */
export interface Scale {
  /** Minimum number of events. */
  readonly events: number
  /** Numbers of accounts with two and with five subscriptions. */
  readonly pairs: number
  readonly fives: number
  /** Number of kills of the relay; half at random times, half at chosen points. */
  readonly kills: number
  /** Maximum number of webhooks of each subscription that time out. */
  readonly timeOuts: number
}

/** The published run: 50 subscriptions of 22 accounts. */
export const published: Scale = { events: 100_000, pairs: 20, fives: 2, kills: 20, timeOuts: 2 }

/** The run after the matrix. */
export const shorter: Scale = { ...published, events: 20_000 }

/** A run of a few seconds. */
export const brief: Scale = { events: 160, pairs: 1, fives: 1, kills: 4, timeOuts: 0 }

export interface SubscriptionPlan {
  readonly event: string
  readonly method: string
  readonly post: boolean
}

const methods = ['POST', 'PUT', 'PING', 'GET', 'PATCH', 'NEXT', 'DELETE', 'NOTIFY'] as const
const two = ['message.create', 'message.sent'] as const
const five = [...two, 'message.failed', 'message.blocked', 'message.create'] as const

/** The subscriptions of each account. */
export function planSubscriptions({ pairs, fives }: Scale): SubscriptionPlan[][] {
  let receivers = 0
  const accounts = [...Array(fives).fill(five), ...Array(pairs).fill(two)] as (readonly string[])[]
  return accounts.map(events =>
    events.map(event => {
      receivers += 1
      return {
        event,
        method: methods[receivers % methods.length] ?? 'POST',
        post: receivers % 3 !== 0,
      }
    }),
  )
}

/** Number of messages of each account; each causes two events. */
export function messagesPerAccount({ events, pairs, fives }: Scale): number {
  return Math.ceil(events / 2 / (pairs + fives))
}
