import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { messageFilters } from '../../../../src/domain/message/message-filter.js'
import { createJournal } from '../../../../src/server/store/lowdb/journal/data-file-format.js'
import type { Store } from '../../../../src/server/store/store.js'
import {
  accept,
  acceptAll,
  accountWith,
  contentOf,
  draftWith,
  eventsOf,
  fill,
  messagesOf,
  messageWith,
  next,
  start,
  sumOf,
} from '../rig.js'
import { canLimitFiles, limitFiles } from './file-size-limit.js'
import {
  filesIn,
  firstJournal,
  newFolder,
  openCopy,
  openStore,
  withoutPreallocation,
} from './lowdb-rig.js'

const ids = async (store: Store) => (await messagesOf(store)).map(message => message.id)

/** A filled store, and ways to leave so many bytes of room, or all. */
async function filled() {
  const folder = await newFolder()
  const warnings: string[] = []
  const store = await openStore(folder, { warn: sentence => warnings.push(sentence) })
  await fill(store)
  const path = join(folder, firstJournal)
  return {
    folder,
    store,
    warnings,
    leaveRoom: async (bytes: number) =>
      limitFiles(withoutPreallocation(await readFile(path)).length + bytes),
    makeRoom: () => limitFiles('unlimited'),
  }
}

const old = { before: start + 1e9, always: 0 }

const changes: Record<string, (store: Store) => Promise<unknown>> = {
  'a new message': store => accept(store, 'm9'),
  'a new message of a new account': store => accept(store, 'm10', { account: 'new' }),
  'a claim': store => next(store, 'other'),
  'a new state': store =>
    store.messages.change('m4', () => ({
      message: messageWith('m4', { status: 'S' }),
      events: ['message.sent'],
    })),
  'a removal': store => store.messages.change('m1', () => ({ message: null })),
  'a later time': store =>
    store.messages.change('m1', () => ({ message: messageWith('m1', { sendAt: start + 9e9 }) })),
  'a new account': store => store.accounts.create(accountWith('c')),
  'a changed account': store =>
    store.accounts.change('a', found => ({ ...found, email: 'new@example.com', secretKey: 'new' })),
  'the removal of an account': store => store.accounts.remove('a'),
  'a new subscription': store => store.subscriptions.create(draftWith('s3')),
  'a changed subscription': store =>
    store.subscriptions.change('s2', found => ({ ...found, cursor: 3 })),
  'a removed subscription': store => store.subscriptions.remove('s2'),
  'a listed number': store =>
    store.doNotText.add({ scope: '*', number: '+12025550143', at: start + 1e9 }, message => ({
      message: { ...message, status: 'B' },
      events: ['message.blocked'],
    })),
  'a number off the list': store => store.doNotText.remove('*', '+1'),
  'a token': store => store.tokens.put({ id: 't', account: 'a', kind: 'api', expiresAt: 1 }),
  'the removal of old messages': store => sumOf(store.messages.purge(old)),
  'the removal of old events': store => sumOf(store.events.purge(old.before, 1e9)),
  'the removal of tokens': store => store.tokens.removeByKind('a', ['api']),
}

/** What readers and NEXT see, beyond the lists. */
async function viewOf(store: Store) {
  const page = { account: 'a', start: 0, count: 100, order: 'desc' } as const
  const { normal, locked } = messageFilters
  return {
    content: await contentOf(store),
    normal: await store.messages.list({ ...page, statuses: normal }),
    locked: await store.messages.list({ ...page, statuses: locked }),
    accounts: (await store.accounts.list()).sort((a, b) => (a.id < b.id ? -1 : 1)),
    byEmail: await store.accounts.findByEmail('A@example.com'),
    bySecretKey: await store.accounts.findBySecretKey('sk_a'),
    byNewKey: await store.accounts.findBySecretKey('new'),
    subscriptions: await store.subscriptions.list(),
    lapsed: store.messages.expiredLeases(start + 1e9),
  }
}

describe.skipIf(!canLimitFiles)('without room on the disk', () => {
  afterEach(() => limitFiles('unlimited'))

  test.each(Object.keys(changes))('%s is refused and leaves nothing', async name => {
    const { folder, store, leaveRoom, makeRoom } = await filled()
    const change = changes[name] as (store: Store) => Promise<unknown>
    const before = await viewOf(store)
    const files = await filesIn(folder)
    for (const bytes of [0, 1, 20]) {
      await leaveRoom(bytes)
      await expect(change(store)).rejects.toMatchObject({ code: 'unavailable' })
      expect(await viewOf(store)).toEqual(before)
      makeRoom()
      expect(await filesIn(folder)).toEqual(files)
    }
    expect(await viewOf(await openCopy(folder))).toEqual(before)
    expect(await next(store, 'other')).toBe('m4')
    expect(await next(store, 'phone')).toBe('m1')
  })

  test('changes go on when there is room again', async () => {
    const { folder, store, leaveRoom, makeRoom } = await filled()
    await leaveRoom(10)
    await expect(accept(store, 'm8')).rejects.toMatchObject({ code: 'unavailable' })
    makeRoom()
    for (const change of Object.values(changes)) await change(store)
    const seen = await contentOf(store, ['a', 'b', 'c', 'new'])
    expect(await contentOf(await openCopy(folder), ['a', 'b', 'c', 'new'])).toEqual(seen)
  })

  test('an outage is told once, and its end', async () => {
    const { folder, store, warnings, leaveRoom, makeRoom } = await filled()
    await leaveRoom(10)
    for (const id of ['m8', 'm9']) {
      await expect(accept(store, id)).rejects.toMatchObject({ code: 'unavailable' })
    }
    expect(warnings).toEqual([expect.stringContaining(`${folder} cannot be written (EFBIG)`)])
    makeRoom()
    await accept(store, 'm8')
    await accept(store, 'm9')
    expect(warnings.slice(1)).toEqual([expect.stringContaining('can be written again')])
  })

  test('what was old and could not be removed is removed when there is room again', async () => {
    const { store, leaveRoom, makeRoom } = await filled()
    const purge = async () => [
      await sumOf(store.messages.purge(old)),
      await sumOf(store.events.purge(old.before, 1e9)),
    ]
    await leaveRoom(0)
    await expect(purge()).rejects.toMatchObject({ code: 'unavailable' })
    await expect(sumOf(store.events.purge(old.before, 1e9))).rejects.toThrow()
    makeRoom()
    expect(await purge()).toEqual([1, 6])
  })

  test('old messages are looked for again where they could not be removed', async () => {
    const folder = await newFolder()
    const store = await openStore(folder, { now: () => start + 2e9 })
    await fill(store)
    limitFiles(withoutPreallocation(await readFile(join(folder, firstJournal))).length)
    await expect(sumOf(store.messages.purge(old))).rejects.toThrow()
    limitFiles('unlimited')
    expect(await sumOf(store.messages.purge(old))).toBe(1)
  })

  test('all changes of a turn are refused together, and those that wait behind them', async () => {
    const { store, leaveRoom } = await filled()
    const before = await viewOf(store)
    await leaveRoom(100)
    const first = [accept(store, 'm6'), accept(store, 'm7'), next(store, 'q')]
    await new Promise(resolve => setImmediate(resolve))
    const second = [accept(store, 'm8'), store.messages.change('m6', () => ({ message: null }))]
    const answers = await Promise.allSettled([...first, ...second])
    expect(answers.map(answer => answer.status)).toEqual(Array(5).fill('rejected'))
    expect(await viewOf(store)).toEqual(before)
  })

  test('reads that wait for a refused change see what was before it', async () => {
    const { store, leaveRoom } = await filled()
    await leaveRoom(0)
    const refused = accept(store, 'm9').catch((error: { code: string }) => error.code)
    const reads = [store.messages.get('m9'), ids(store), eventsOf(store)]
    expect(await Promise.all(reads)).toEqual([
      undefined,
      ['m1', 'm3', 'm4'],
      expect.objectContaining({ length: 4 }),
    ])
    expect(await refused).toBe('unavailable')
  })

  test('a journal that cannot be begun leaves no file in the way of the next try', async () => {
    const path = join(await newFolder(), firstJournal)
    limitFiles(10)
    await expect(createJournal(path)).rejects.toMatchObject({ code: 'EFBIG' })
    limitFiles('unlimited')
    const journal = await createJournal(path)
    expect((await stat(path)).size).toBe(journal.length)
    await journal.close()
  })

  test('a change that saw a refused one is refused, too', async () => {
    const { store, leaveRoom } = await filled()
    await leaveRoom(0)
    const refused = [
      store.messages.change('m1', () => ({ message: null })),
      store.messages.change('m1', message => {
        if (message === undefined) throw new Error('It is gone.')
        return {}
      }),
      store.messages.change('m1', () => ({})),
      next(store, 'phone', start - 1),
    ]
    const codes = await Promise.allSettled(refused)
    for (const answer of codes) {
      expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
    }
  })

  test('events are numbered on upwards after a refusal, and after opening again', async () => {
    const { folder, store, leaveRoom, makeRoom } = await filled()
    await leaveRoom(0)
    await expect(acceptAll(store, ['m8'])).rejects.toThrow()
    makeRoom()
    await accept(store, 'm9')
    const again = await openCopy(folder)
    await accept(again, 'm10')
    const seqs = (await eventsOf(again)).map(event => event.seq)
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
    expect(seqs).toHaveLength(6)
  })

  test('a subscription made after a refusal misses no event after opening again', async () => {
    const { folder, store, leaveRoom, makeRoom } = await filled()
    await leaveRoom(0)
    await expect(acceptAll(store, ['m8'])).rejects.toThrow()
    makeRoom()
    const { cursor } = await store.subscriptions.create(draftWith('s3'))
    const again = await openCopy(folder)
    await accept(again, 'm9')
    const events = await again.events.listAfter('a', 'message.create', cursor, 10)
    expect(events.map(event => event.message)).toEqual(['m9'])
  })

  test('nobody is told of what was refused', async () => {
    const { store, leaveRoom, makeRoom } = await filled()
    const told: string[] = []
    store.watch(notice => told.push(...notice.messages))
    await leaveRoom(0)
    await expect(accept(store, 'm8')).rejects.toThrow()
    makeRoom()
    await accept(store, 'm9')
    expect(told).toEqual(['m9'])
  })

  test('a refused change may be asked for again with its key', async () => {
    const { store, leaveRoom, makeRoom } = await filled()
    const once = { account: 'a', key: 'k', digest: 'd', until: start + 1000 }
    await leaveRoom(0)
    await expect(accept(store, 'm8', {}, once)).rejects.toMatchObject({ code: 'unavailable' })
    makeRoom()
    expect((await accept(store, 'm9', {}, once))?.id).toBe('m9')
    expect((await accept(store, 'm10', {}, once))?.id).toBe('m9')
  })

  test('subscriptions stay in order of creation when a removal is refused', async () => {
    const { store, leaveRoom } = await filled()
    for (const at of [3, 4, 5]) {
      await store.subscriptions.create(draftWith(`s${at}`, { createdAt: start + at }))
    }
    await leaveRoom(0)
    for (const id of ['s3', 's4']) await expect(store.subscriptions.remove(id)).rejects.toThrow()
    await expect(store.accounts.remove('a')).rejects.toThrow()
    const listed = await store.subscriptions.list('a')
    expect(listed.map(each => each.id)).toEqual(['s2', 's3', 's4', 's5'])
  })
})
