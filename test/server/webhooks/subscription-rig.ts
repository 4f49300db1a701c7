import { DeliveryLogService } from '../../../src/server/services/webhooks/delivery-log-service.js'
import {
  type SubscriptionDraft,
  SubscriptionService,
} from '../../../src/server/services/webhooks/subscription-service.js'
import { createSigningSecret } from '../../../src/util/crypto/secrets.js'
import { createUuidGenerator } from '../../../src/util/crypto/uuid-v7.js'
import { createObservers } from '../observers.js'
import { accountWith } from '../store/rig.js'
import { ok, openSink, type Reaction } from './sink.js'
import { World } from './world.js'

/** A subscription whose dispatcher runs, with the services of its user. */
export async function openSubscription(
  react: (nth: number, request: string) => Reaction = () => ok,
  changes: Partial<SubscriptionDraft> = {},
) {
  const world = await World.open()
  const owner = accountWith('a', { hookSecret: createSigningSecret() })
  const sink = await openSink(react)
  const { store } = world
  const context = {
    ...createObservers(),
    store,
    clock: world.clock,
    newId: createUuidGenerator(world.clock.now),
  }
  await store.accounts.create(owner)
  const service = new SubscriptionService(context)
  const dispatcher = await world.dispatch()
  const deliveryLog = new DeliveryLogService(context, service, dispatcher)
  const draft = { event: 'message.create', url: sink.url, method: 'POST', post: false } as const
  const { id } = await service.create(owner, { ...draft, ...changes })
  const read = () => service.get(owner, id)
  const record = async (...messages: string[]): Promise<void> => {
    await world.record(messages)
    await dispatcher.idle()
  }
  /** Moves the clock and waits until no event is due. */
  const pass = async (milliseconds: number): Promise<void> => {
    world.clock.advance(milliseconds)
    await dispatcher.idle()
  }
  return { world, owner, sink, service, dispatcher, deliveryLog, id, read, record, pass }
}
