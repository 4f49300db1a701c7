import fc from 'fast-check'
import { expect } from 'vitest'
import { isRelayError } from '../../../../src/errors.js'
import type { ReportedOutcome } from '../../../../src/server/services/phones/claim-service.js'
import { lease } from '../world.js'
import {
  command,
  type DeliveryWorld,
  delays,
  number,
  outcomes,
  phone,
  target,
} from './delivery-commands.js'
import type { DeliveryModel, ModelMessage } from './delivery-model.js'

async function claimBatch(
  model: DeliveryModel,
  { world, account, received }: DeliveryWorld,
  holder: string,
  { count, isLost }: { readonly count: number; readonly isLost: boolean },
): Promise<void> {
  const since = received.get(holder) ?? 0
  const batch = await world.claims.nextBatch(account, holder, { count, since })
  const ids = batch?.messages.map(each => each.id) ?? []
  model.handOutBatch(ids, holder, count, isLost)
  if (batch === undefined) return
  expect(batch.claim).toBeGreaterThan(since)
  if (!isLost) received.set(holder, batch.claim)
}

const claims = fc
  .tuple(phone, fc.integer({ min: 1, max: 4 }), fc.boolean())
  .map(([nth, count, isLost]) =>
    command(
      `NEXT of phone ${nth}, batch=${count}${isLost ? ', the reply is lost' : ''}`,
      async (model, real) => {
        await claimBatch(model, real, real.holders[nth] ?? '', { count, isLost })
      },
    ),
  )

const creations = fc.array(fc.tuple(number, delays), { minLength: 2, maxLength: 5 }).map(items =>
  command(`create a batch ${items.join(' ')}`, async (model, { world, account }) => {
    const drafts = items.map(([destination, delay]) => {
      return { destination, text: 'hello', sendAt: model.now + delay }
    })
    const results = await world.messages.acceptAll(account, drafts, 'api')
    for (const [at, { message }] of results.entries()) {
      const { destination = '', sendAt = 0 } = drafts[at] ?? {}
      model.create(message?.id ?? '', destination, sendAt, false)
    }
  }),
)

const phoneRestarts = phone.map(nth =>
  command(`phone ${nth} starts again`, async (model, { holders, received }) => {
    received.delete(holders[nth] ?? '')
    model.forget(model.messages, holders[nth])
  }),
)

type Kind = 'sent' | 'failed' | 'unknown' | 'renew'

/** Applies an outcome to the model, as far as the relay accepted it. */
function applyOutcome(
  model: DeliveryModel,
  message: ModelMessage,
  holder: string,
  kind: Kind,
  isDone: boolean,
): void {
  if (kind === 'renew') {
    expect(isDone).toBe(model.canRenew(message, holder))
    if (!isDone || message.handOut === undefined) return
    message.handOut = { ...message.handOut, until: model.now + lease }
    return
  }
  const isRepeated = kind === 'sent' && message.state === 'sent'
  if (isRepeated || model.mustAccept(message, holder)) expect(isDone).toBe(true)
  if (!isDone || isRepeated) return
  expect(['waiting', 'locked']).toContain(message.state)
  if (kind === 'sent') message.state = 'sent'
  else model.fail(message, holder, kind)
}

function toOutcome(id: string, kind: Kind): ReportedOutcome {
  if (kind === 'renew') return { id }
  if (kind === 'sent') return { id, success: { parts: 1 } }
  return { id, failure: { error: 'no carrier', outcome: kind } }
}

const kind = fc.oneof(outcomes, fc.constantFrom('sent' as const, 'renew' as const))

const reports = fc
  .tuple(phone, fc.array(fc.tuple(target, kind), { minLength: 1, maxLength: 4 }))
  .map(([nth, items]) =>
    command(`phone ${nth} reports ${items.join(' ')}`, async (model, real) => {
      const holder = real.holders[nth] ?? ''
      const reported = items
        .map(([at, what]) => ({ message: model.messages.at(-1 - at), what }))
        .filter(each => each.message !== undefined)
        .map(each => ({ ...each, message: each.message as ModelMessage }))
      const batch = reported.map(({ message, what }) => toOutcome(message.id, what))
      const results = await real.world.claims.reportAll(real.account, holder, batch)
      expect(results.length).toBe(batch.length)
      for (const [at, { message, what }] of reported.entries()) {
        const error = results[at]?.error
        const isExpected = ['invalid_state', 'not_a_message'].some(code => error?.code === code)
        expect(error === undefined || (isRelayError(error) && isExpected)).toBe(true)
        applyOutcome(model, message, holder, what, error === undefined)
      }
    }),
  )

export const batchCommands = [
  ...[creations, creations, claims, claims, claims, claims],
  ...[phoneRestarts, reports, reports],
]
