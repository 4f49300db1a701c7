import type { Actor, Step } from './actor.js'
import { createBatchPhone, createBatchSteps } from './batches.js'
import { createPhone, createSteps } from './requests.js'

/** Number of unfinished messages: enough for every phone, too few for a long queue. */
const unfinishedPerPhone = 4

export interface FlowOptions {
  /** Number of creators, and of phones. */
  readonly pairs: number
  /** Messages in a request. @default single requests */
  readonly batch?: number
  /** Ports of the servers, which the connections use in turn. @default that of the load */
  readonly ports?: readonly number[]
}

/** Creators and phones; a creator waits while enough messages are unfinished. */
export function createFlowActors({ pairs, batch, ports = [] }: FlowOptions): Actor[] {
  const steps = batch === undefined ? createSteps('form') : createBatchSteps(batch)
  const limit = pairs * unfinishedPerPhone
  const waiting: (() => void)[] = []
  let unfinished = 0
  let at = 0
  const creator = (): Actor => {
    let wake = (): void => {}
    return {
      readsBody: false,
      attach: woken => {
        wake = woken
      },
      next: (): Step | undefined => {
        if (unfinished >= limit) {
          waiting.push(wake)
          return undefined
        }
        unfinished += 1
        at = (at + 1) % steps.length
        return steps[at]
      },
    }
  }
  // A phone can get more or fewer messages at once than a creator makes.
  let done = 0
  const onDone = (count = 1): void => {
    done += count
    for (; done >= (batch ?? 1); done -= batch ?? 1) {
      unfinished -= 1
      waiting.shift()?.()
    }
  }
  const phone = (number: number): Actor =>
    batch === undefined
      ? createPhone(number, { waits: true, onDone })
      : createBatchPhone(number, batch, onDone)
  const numbers = Array.from({ length: pairs }, (_, number) => number)
  const actors = [...numbers.map(creator), ...numbers.map(phone)]
  if (ports.length === 0) return actors
  return actors.map((actor, index) => ({ ...actor, port: ports[index % ports.length] as number }))
}
