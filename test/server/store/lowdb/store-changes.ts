import { messageFilters } from '../../../../src/domain/message/message-filter.js'
import type { Store } from '../../../../src/server/store/store.js'
import {
  accept,
  accountWith,
  addUp,
  draftWith,
  messageWith,
  next,
  readContent,
  start,
} from '../rig.js'

/** Everything of a filled store has expired. */
export const expired = { before: start + 1e9, always: 0 }

export const changes: Record<string, (store: Store) => Promise<unknown>> = {
  'a new message': store => accept(store, 'm9'),
  'a new message of a new account': store => accept(store, 'm10', { account: 'new' }),
  'a claim': store => next(store, 'other'),
  'a new state': store =>
    store.messages.change('a', 'm4', () => ({
      message: messageWith('m4', { status: 'S' }),
      events: ['message.sent'],
    })),
  'a removal': store => store.messages.change('a', 'm1', () => ({ message: null })),
  'a later time': store =>
    store.messages.change('a', 'm1', () => ({
      message: messageWith('m1', { sendAt: start + 9e9 }),
    })),
  'a new account': store => store.accounts.create(accountWith('c')),
  'a changed account': store =>
    store.accounts.change('a', found => ({ ...found, email: 'new@example.com', secretKey: 'new' })),
  'the removal of an account': store => store.accounts.remove('a'),
  'a new subscription': store => store.subscriptions.create(draftWith('s3')),
  'a changed subscription': store =>
    store.subscriptions.change('s2', found => ({ ...found, cursor: 3 })),
  'a removed subscription': store => store.subscriptions.remove('s2'),
  'a new Do Not Text entry': store =>
    store.doNotText.add(
      [{ scope: '*', number: '+12025550143', at: start + 1e9 }],
      start,
      () => ({}),
    ),
  'the removal of a Do Not Text entry': store => store.doNotText.remove('*', '+1', start),
  'a token': store => store.tokens.put({ id: 't', account: 'a', kind: 'api', expiresAt: 1 }),
  'the removal of old messages': store => addUp(store.messages.purge(expired)),
  'the removal of old events': store => addUp(store.events.purge(expired.before, 1e9)),
  'the removal of tokens': store => store.tokens.remove({ account: 'a', kind: 'api' }),
}

export async function readAll(store: Store) {
  const page = { account: 'a', start: 0, count: 100, order: 'desc' } as const
  const { normal, locked } = messageFilters
  return {
    content: await readContent(store),
    normal: await store.messages.list({ ...page, statuses: normal }),
    locked: await store.messages.list({ ...page, statuses: locked }),
    accounts: (await store.accounts.list()).sort((a, b) => (a.id < b.id ? -1 : 1)),
    byEmail: await store.accounts.findByEmail('A@example.com'),
    bySecretKey: await store.accounts.findBySecretKey('sk_a'),
    byNewKey: await store.accounts.findBySecretKey('new'),
    subscriptions: await store.subscriptions.list(),
    expiredLeases: await store.messages.listExpiredLeases(['a', 'b'], start + 1e9, 100),
  }
}
