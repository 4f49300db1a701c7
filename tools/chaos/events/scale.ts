/** How large a run of the proof is. */
export interface Scale {
  /** Events the service records, at least. */
  readonly events: number
  /** Accounts with two subscriptions, and with five. */
  readonly pairs: number
  readonly fives: number
  /** SIGKILLs of the service; half of them at random moments, half at chosen points. */
  readonly kills: number
  /** Hits of each subscription, at most, that are met with silence until the service gives up. */
  readonly timeOuts: number
}

/** The published run: 50 subscriptions of 22 accounts. */
export const published: Scale = { events: 100_000, pairs: 20, fives: 2, kills: 20, timeOuts: 2 }

/** What follows the matrix. */
export const shorter: Scale = { ...published, events: 20_000 }

/** A run that ends within seconds. */
export const brief: Scale = { events: 160, pairs: 1, fives: 1, kills: 4, timeOuts: 0 }

/** A subscription of the plan. */
export interface LanePlan {
  readonly event: string
  readonly method: string
  readonly post: boolean
}

const methods = ['POST', 'PUT', 'PING', 'GET', 'PATCH', 'NEXT', 'DELETE', 'NOTIFY'] as const
const two = ['message.create', 'message.sent'] as const
const five = [...two, 'message.failed', 'message.blocked', 'message.create'] as const

/** The subscriptions of each account. */
export function lanePlans({ pairs, fives }: Scale): LanePlan[][] {
  let lanes = 0
  const accounts = [...Array(fives).fill(five), ...Array(pairs).fill(two)] as (readonly string[])[]
  return accounts.map(events =>
    events.map(event => {
      lanes += 1
      return { event, method: methods[lanes % methods.length] ?? 'POST', post: lanes % 3 !== 0 }
    }),
  )
}

/** Messages of each account: every one makes two events. */
export function messagesPerAccount({ events, pairs, fives }: Scale): number {
  return Math.ceil(events / 2 / (pairs + fives))
}
