import fc from 'fast-check'
import { expect } from 'vitest'
import type { Account } from '../../../../src/domain/account/account.js'
import { isRelayError } from '../../../../src/errors.js'
import { hour, lease, minute, second, type World } from '../world.js'
import type { DeliveryModel, ModelMessage } from './delivery-model.js'

/** The relay with one account and its phones, by number. */
export interface DeliveryWorld {
  readonly world: World
  readonly account: Account
  readonly holders: readonly string[]
  /** The last `claim` that each holder received. */
  readonly received: Map<string, number>
}

export type DeliveryCommand = fc.AsyncCommand<DeliveryModel, DeliveryWorld>

type Act = (model: DeliveryModel, real: DeliveryWorld) => Promise<void>

type MessageAct = (
  model: DeliveryModel,
  real: DeliveryWorld,
  message: ModelMessage,
) => Promise<void>

const numbers = ['+12025550143', '+12025550144', '+12025550145'] as const
export const delays = fc.constantFrom(0, 0, second, lease / 2, lease, hour)
export const number = fc.constantFrom(...numbers)
export const phone = fc.nat(2)
export const target = fc.nat(3)

export function command(name: string, run: Act): DeliveryCommand {
  return {
    check: () => true,
    toString: () => name,
    run: async (model, real) => {
      await run(model, real)
      for (const message of model.messages) {
        model.compare(message, await real.world.read(message.id))
      }
    },
  }
}

/** A command for one of the last messages, if there is one. */
function messageCommand(name: string, nth: number, run: MessageAct): DeliveryCommand {
  return command(`${name} message ${nth} from the end`, async (model, real) => {
    const message = model.messages.at(-1 - nth)
    if (message !== undefined) await run(model, real, message)
  })
}

/** Whether the relay did it; false if it refused because of the state of the message. */
async function isAccepted(request: Promise<unknown>): Promise<boolean> {
  try {
    await request
    return true
  } catch (error) {
    if (isRelayError(error, 'invalid_state') || isRelayError(error, 'not_a_message')) return false
    throw error
  }
}

export async function claimNext(
  model: DeliveryModel,
  { world, account }: DeliveryWorld,
  holder: string,
): Promise<string | undefined> {
  const id = await world.next(account, holder)
  model.handOut(id, holder)
  return id
}

const creations = fc.tuple(number, delays).map(([to, delay]) =>
  command(`create for ${to} in ${delay} ms`, async (model, { world, account }) => {
    const { id, sendAt } = await world.create(account, { to, at: model.now + delay })
    model.create(id, to, sendAt, false)
  }),
)

const edits = fc.tuple(target, number, delays, fc.boolean()).map(([nth, to, delay, moves]) =>
  messageCommand(
    moves ? `postpone by ${delay} ms` : `edit for ${to}`,
    nth,
    async (model, { world, account }, message) => {
      const sendAt = model.now + delay
      const draft = moves ? { sendAt } : { destination: to }
      const wasWaiting = message.state === 'waiting'
      expect(await isAccepted(world.messages.edit(account, message.id, draft))).toBe(wasWaiting)
      if (wasWaiting && moves) message.sendAt = sendAt
      else if (wasWaiting) message.number = to
      if (wasWaiting) message.isConfirmation = false
      if (wasWaiting) model.forget([message])
    },
  ),
)

const deletions = target.map(nth =>
  messageCommand('delete', nth, async (model, { world, account }, message) => {
    const { id, state } = message
    const isHidden = state === 'deleted' || state === 'removed'
    expect(await isAccepted(world.messages.remove(account, id))).toBe(!isHidden)
    if (isHidden) return
    message.wasLocked = state === 'locked'
    model.forget([message])
    message.state = state === 'waiting' || state === 'locked' ? 'deleted' : 'removed'
  }),
)

const restorations = target.map(nth =>
  messageCommand('undelete', nth, async (model, { world, account }, message) => {
    const isDeleted = message.state === 'deleted'
    expect(await isAccepted(world.messages.undelete(account, message.id))).toBe(isDeleted)
    if (isDeleted) model.undelete(message)
  }),
)

const locks = target.map(nth =>
  messageCommand('lock', nth, async (model, { world, account }, message) => {
    const canLock = message.state === 'waiting' || message.state === 'locked'
    expect(await isAccepted(world.messages.lock(account, message.id))).toBe(canLock)
    if (message.state === 'waiting') {
      message.isUserLocked = true
      model.forget([message])
    }
    if (canLock) message.state = 'locked'
  }),
)

const unlocks = target.map(nth =>
  messageCommand('unlock', nth, async (model, { world, account }, message) => {
    const isLocked = message.state === 'locked'
    expect(await isAccepted(world.messages.unlock(account, message.id))).toBe(isLocked)
    if (isLocked) model.unlock(message)
  }),
)

const listings = fc.tuple(number, fc.boolean(), fc.boolean()).map(([to, isOwn, adds]) =>
  command(
    `${adds ? 'add' : 'remove'} ${to} ${isOwn ? 'on the own list' : 'on the list of all'}`,
    async (model, { world, account }) => {
      const scope = { scope: isOwn ? account.id : '*', country: 'US' }
      const entry = `${scope.scope} ${to}`
      if (adds) await world.doNotText.add(scope, to)
      else if (model.listed.has(entry)) await world.doNotText.remove(scope, to)
      if (adds) model.listed.set(entry, model.listed.get(entry) ?? false)
      else model.listed.delete(entry)
    },
  ),
)

const texts = fc.tuple(number, fc.boolean()).map(([from, stops]) =>
  command(`${stops ? 'STOP' : 'START'} from ${from}`, async (model, { world, account }) => {
    const text = stops ? 'Stop.' : 'start'
    const { reply } = await world.receiving().accept(account, { from, text })
    const entry = `${account.id} ${from}`
    if (reply !== undefined) {
      expect([stops, model.isListed(from)]).toEqual([true, false])
      model.create(reply, from, model.now, true)
    }
    if (stops) model.listed.set(entry, model.listed.get(entry) ?? true)
    else if (model.listed.get(entry) === true) model.listed.delete(entry)
  }),
)

const claims = fc.array(phone, { minLength: 1, maxLength: 3 }).map(phones =>
  command(`NEXT of phones ${phones.join(', ')} at once`, async (model, real) => {
    const asking = phones.map(nth => real.holders[nth] ?? '')
    const requests = asking.map(async holder => await claimNext(model, real, holder))
    await Promise.all(requests)
  }),
)

const successes = fc.tuple(target, phone).map(([nth, by]) =>
  messageCommand(`phone ${by} sent`, nth, async (model, { world, account, holders }, message) => {
    const holder = holders[by] ?? ''
    const isRepeated = message.state === 'sent'
    const mustAccept = isRepeated || model.mustAccept(message, holder)
    const isDone = await isAccepted(world.sent(account, holder, message.id))
    if (mustAccept) expect(isDone).toBe(true)
    if (!isDone || isRepeated) return
    expect(['waiting', 'locked']).toContain(message.state)
    message.state = 'sent'
  }),
)

export const outcomes = fc.constantFrom('failed', 'failed', 'unknown')

const failures = fc.tuple(target, phone, outcomes).map(([nth, by, how]) =>
  messageCommand(
    `phone ${by} could not send (${how})`,
    nth,
    async (model, { world, account, holders }, message) => {
      const holder = holders[by] ?? ''
      const isDone = await isAccepted(world.failed(account, holder, message.id, how))
      if (model.mustAccept(message, holder)) expect(isDone).toBe(true)
      if (!isDone) return
      expect(['waiting', 'locked']).toContain(message.state)
      model.fail(message, holder, how)
    },
  ),
)

const releases = fc.tuple(target, phone, delays).map(([nth, by, delay]) =>
  messageCommand(
    `phone ${by} releases for ${delay} ms`,
    nth,
    async (model, { world, account, holders }, message) => {
      const holder = holders[by] ?? ''
      const request = delay === 0 ? {} : { retryAfter: delay }
      const isDone = await isAccepted(
        world.claims.report(account, holder, { id: message.id, release: request }),
      )
      if (!isDone || message.handOut === undefined) return
      expect(message.handOut.holder).toBe(holder)
      message.handOut = undefined
      if (delay > 0) message.retryAt = model.now + delay
    },
  ),
)

const waits = fc
  .constantFrom(1, second, lease / 2, lease - 1, lease, 15 * minute, hour)
  .map(duration =>
    command(`wait ${duration} ms`, async (model, { world }) => {
      await world.advance(duration)
      model.now = world.time
    }),
  )

const settlements = fc.constant(
  command('settle ended leases', async (_, { world }) => await world.claims.settleExpiredLeases()),
)

const restarts = fc.constant(command('restart', async (_, { world }) => await world.restart()))

export const deliveryCommands = [
  ...[creations, claims, claims, claims, waits, waits, listings, texts, settlements, restarts],
  ...[edits, edits, deletions, restorations, locks, unlocks, successes, failures, releases],
]
