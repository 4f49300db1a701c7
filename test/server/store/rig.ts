import type { Account } from '../../../src/domain/account/account.js'
import { claimMessage } from '../../../src/domain/message/claim.js'
import { createMessage } from '../../../src/domain/message/edit-message.js'
import type { Message } from '../../../src/domain/message/message.js'
import { messageFilters } from '../../../src/domain/message/message-filter.js'
import type { Delivery } from '../../../src/domain/webhook/delivery.js'
import { eventNames, type RelayEvent } from '../../../src/domain/webhook/event.js'
import type { Subscription } from '../../../src/domain/webhook/subscription.js'
import { listDoNotText } from '../../../src/server/store/do-not-text.js'
import type { DecideMessage, IdempotencyKey } from '../../../src/server/store/message-store.js'
import type { Store } from '../../../src/server/store/store.js'

/** A number from 0 to 99 as the end of an identifier; identifiers sort in order of creation. */
export function formatPlace(at: number): string {
  return at < 10 ? `${at}` : `x${at}`
}

/** When samples were created, in milliseconds since the epoch. */
export const start = 1_700_000_000_000

export function messageWith(id: string, changes: Partial<Message> = {}): Message {
  return {
    id,
    account: 'a',
    destination: '+12025550143',
    number: '+12025550143',
    text: 'hello, wörld 🙂',
    source: 'api',
    status: 'N',
    createdAt: start,
    sendAt: start,
    statusAt: start,
    failures: 0,
    ...changes,
  }
}

export function accountWith(id: string, changes: Partial<Account> = {}): Account {
  return {
    id,
    email: `${id}@example.com`,
    passwordHash: 'hash',
    secretKey: `sk_${id}`,
    appKey: `ak_${id}`,
    apiKeyHash: 'hash',
    country: 'US',
    mode: 'at-least-once',
    hookSecret: 'whsec_c2VjcmV0',
    createdAt: start,
    ownerSince: null,
    ...changes,
  }
}

export function draftWith(
  id: string,
  changes: Partial<Subscription> = {},
): Omit<Subscription, 'cursor'> {
  return {
    id,
    account: 'a',
    event: 'message.create',
    url: 'https://example.com/hook',
    method: 'POST',
    post: false,
    triggered: 0,
    createdAt: start,
    ...changes,
  }
}

export function deliveryWith(changes: Partial<Delivery>): Delivery {
  return {
    id: 'd',
    subscription: 's1',
    seq: 1,
    event: 'message.create',
    message: 'm',
    attempt: 1,
    at: start,
    ms: 3,
    ok: true,
    dead: false,
    resend: false,
    reply: 'fine\n',
    ...changes,
  }
}

/** Creates a message as the relay does. */
export async function accept(
  store: Store,
  id: string,
  changes: Partial<Message> = {},
  once?: IdempotencyKey,
): Promise<Message | undefined> {
  const message = messageWith(id, changes)
  const decide: DecideMessage = (_, facts) => createMessage(message, facts)
  return await store.messages.change(message.account, id, decide, {
    number: message.number,
    ...(once === undefined ? {} : { idempotencyKey: once }),
  })
}

export async function acceptAll(store: Store, ids: readonly string[]): Promise<void> {
  for (const id of ids) await accept(store, id)
}

/** Claims the next message as a phone does; returns its id. */
export async function next(
  store: Store,
  holder: string,
  now = start,
  mode: Account['mode'] = 'at-least-once',
): Promise<string | undefined> {
  const by = { account: 'a', holder, now, lease: 120_000, mode }
  const message = await store.messages.claim(by, (each, facts) => claimMessage(each, by, facts))
  return message?.id
}

/** All messages of an account, the oldest first. */
export async function listMessages(store: Store, account = 'a'): Promise<Message[]> {
  const page = {
    account,
    statuses: messageFilters.all,
    start: 0,
    count: 1e9,
    order: 'asc',
  } as const
  return await store.messages.list(page)
}

export async function addUp(numbers: AsyncIterable<number>): Promise<number> {
  let sum = 0
  for await (const each of numbers) sum += each
  return sum
}

/** All events of an account, in order. */
export async function listEvents(store: Store, account = 'a'): Promise<RelayEvent[]> {
  const logs = await Promise.all(
    eventNames.map(event => store.events.listAfter(account, event, 0, 1e9)),
  )
  return logs.flat().sort((a, b) => a.seq - b.seq)
}

/** Everything about these accounts that a store returns. */
export async function readContent(store: Store, accounts: readonly string[] = ['a', 'b']) {
  const content = []
  for (const account of accounts) {
    content.push({
      account: await store.accounts.get(account),
      messages: await listMessages(store, account),
      events: await listEvents(store, account),
      subscriptions: await store.subscriptions.list(account),
      doNotText: await listDoNotText(store, account),
      due: await store.messages.findNextAvailable(account),
    })
  }
  return { content, service: await listDoNotText(store, '*'), token: await store.tokens.get('t') }
}

/** Stores records of every kind; changes and removes some. */
export async function fill(store: Store): Promise<void> {
  await store.accounts.create(accountWith('a'))
  await store.accounts.create(accountWith('b'))
  await store.tokens.put({ id: 't', account: 'a', kind: 'api', expiresAt: start + 1000 })
  await store.subscriptions.create(draftWith('s1'))
  await store.doNotText.add([{ scope: '*', number: '+1', at: start }], start, () => ({}))
  for (const id of ['m1', 'm2', 'm3', 'm4']) await accept(store, id)
  await accept(store, 'm5', { account: 'b', number: '+1' })
  await next(store, 'phone')
  await store.messages.change('a', 'm2', () => ({ message: null }))
  await store.messages.change('a', 'm3', found => ({
    message: { ...(found as Message), status: 'L' },
  }))
  await store.subscriptions.create(draftWith('s2', { event: 'message.sent' }))
  await store.subscriptions.remove('s1')
}
