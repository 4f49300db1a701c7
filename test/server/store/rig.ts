import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Account } from '../../../src/domain/account/account.js'
import { claimMessage } from '../../../src/domain/message/claim.js'
import { createMessage } from '../../../src/domain/message/edit-message.js'
import type { Message } from '../../../src/domain/message/message.js'
import { messageFilters } from '../../../src/domain/message/message-filter.js'
import { eventNames, type RelayEvent } from '../../../src/domain/webhook/event.js'
import type { Subscription } from '../../../src/domain/webhook/subscription.js'
import { compactJournals } from '../../../src/server/store/lowdb/journal/compact-journals.js'
import {
  type LowdbStoreOptions,
  openLowdbStore,
} from '../../../src/server/store/lowdb/lowdb-store.js'
import type { IdempotencyKey } from '../../../src/server/store/message-store.js'
import type { Store } from '../../../src/server/store/store.js'

/** When samples were created. */
export const start = 1_700_000_000_000

export const firstJournal = 'journal-000001.ndjson'

/** A folder of its own, removed at the end of the test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'smsrelay-store-'))
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }))
  return folder
}

/** A store on a folder, closed at the end of the test. */
export async function openStore(folder: string, options: LowdbStoreOptions = {}): Promise<Store> {
  const store = await openLowdbStore(folder, {
    now: () => start,
    runCompaction: compactJournals,
    ...options,
  })
  onTestFinished(async () => await store.close())
  return store
}

/** A store on a folder of its own. */
export async function newStore(options: LowdbStoreOptions = {}): Promise<Store> {
  return await openStore(await newFolder(), options)
}

/** What a process that starts now would find: the files as they are, opened while the store goes on. */
export async function openCopy(folder: string, options: LowdbStoreOptions = {}): Promise<Store> {
  return await openStore(await copyOf(folder), options)
}

/** A copy of a folder as it was at one moment, although a fold may end meanwhile. */
export async function copyOf(folder: string): Promise<string> {
  for (;;) {
    const copy = await newFolder()
    const names = (await readdir(folder)).join()
    const done = await cp(folder, copy, { recursive: true }).then(
      () => true,
      () => false,
    )
    if (done && (await readdir(folder)).join() === names) return copy
  }
}

/** The names of a folder's files with their bytes, journals without their room. */
export async function filesIn(folder: string): Promise<Map<string, Buffer>> {
  const names = (await readdir(folder)).sort()
  const bytes = await Promise.all(names.map(name => readFile(join(folder, name))))
  return new Map(names.map((name, at) => [name, withoutRoom(bytes[at] as Buffer)]))
}

/** The bytes of a file until the end of its last line that has something in it. */
export function withoutRoom(bytes: Buffer): Buffer {
  let length = bytes.length
  while (length > 1 && bytes[length - 1] === 10 && bytes[length - 2] === 10) length -= 1
  return bytes.subarray(0, length)
}

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
    createdAt: start,
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

/** Creates a message as the service does. */
export async function accept(
  store: Store,
  id: string,
  changes: Partial<Message> = {},
  once?: IdempotencyKey,
): Promise<Message | undefined> {
  const message = messageWith(id, changes)
  return await store.messages.change(id, (_, facts) => createMessage(message, facts), {
    account: message.account,
    number: message.number,
    ...(once === undefined ? {} : { idempotencyKey: once }),
  })
}

/** Creates messages, one a turn. */
export async function acceptAll(store: Store, ids: readonly string[]): Promise<void> {
  for (const id of ids) await accept(store, id)
}

/** NEXT of a holder. */
export async function next(
  store: Store,
  holder: string,
  now = start,
  mode: Account['mode'] = 'at-least-once',
): Promise<string | undefined> {
  const by = { holder, now, lease: 120_000, mode }
  const message = await store.messages.claim('a', holder, now, (each, facts) =>
    claimMessage(each, by, facts),
  )
  return message?.id
}

/** Every message of an account, oldest first. */
export async function messagesOf(store: Store, account = 'a'): Promise<Message[]> {
  const page = {
    account,
    statuses: messageFilters.all,
    start: 0,
    count: 1e9,
    order: 'asc',
  } as const
  return await store.messages.list(page)
}

/** Runs what is yielded to its end, and adds it up. */
export async function sumOf(numbers: AsyncIterable<number>): Promise<number> {
  let sum = 0
  for await (const each of numbers) sum += each
  return sum
}

/** Every event of an account, in order. */
export async function eventsOf(store: Store, account = 'a'): Promise<RelayEvent[]> {
  const logs = await Promise.all(
    eventNames.map(event => store.events.listAfter(account, event, 0, 1e9)),
  )
  return logs.flat().sort((a, b) => a.seq - b.seq)
}

/** All that a store holds of these accounts, as its readers see it. */
export async function contentOf(store: Store, accounts: readonly string[] = ['a', 'b']) {
  const content = []
  for (const account of accounts) {
    content.push({
      account: await store.accounts.get(account),
      messages: await messagesOf(store, account),
      events: await eventsOf(store, account),
      subscriptions: await store.subscriptions.list(account),
      blocklist: await store.doNotText.list(account),
      due: store.messages.nextAvailable(account),
    })
  }
  return { content, service: await store.doNotText.list('*'), token: await store.tokens.get('t') }
}

/** Something of every kind, some of it changed and removed again. */
export async function fill(store: Store): Promise<void> {
  await store.accounts.create(accountWith('a'))
  await store.accounts.create(accountWith('b'))
  await store.tokens.put({ id: 't', account: 'a', kind: 'api', expiresAt: start + 1000 })
  await store.subscriptions.create(draftWith('s1'))
  await store.doNotText.add({ scope: '*', number: '+1', at: start }, () => ({}))
  for (const id of ['m1', 'm2', 'm3', 'm4']) await accept(store, id)
  await accept(store, 'm5', { account: 'b', number: '+1' })
  await next(store, 'phone')
  await store.messages.change('m2', () => ({ message: null }))
  await store.messages.change('m3', found => ({ message: { ...(found as Message), status: 'L' } }))
  await store.subscriptions.create(draftWith('s2', { event: 'message.sent' }))
  await store.subscriptions.remove('s1')
}
