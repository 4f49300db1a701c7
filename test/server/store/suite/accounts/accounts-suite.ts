import { describe, expect, test } from 'vitest'
import type { TokenKind } from '../../../../../src/domain/account/account.js'
import type { Mailbox } from '../../../../../src/resources/mailbox.js'
import { accept, accountWith, draftWith, fill, next, readContent, start } from '../../rig.js'
import type { CreateDatabase, StoreOptions } from '../test-database.js'

export function testAccounts(createDatabase: CreateDatabase): void {
  const createStore = async (options: StoreOptions = {}) => (await createDatabase()).open(options)
  describe('an account', () => {
    test('is found by id, email address in any case, and secret key', async () => {
      const store = await createStore()
      const account = accountWith('c', { email: 'Ada@Example.com' })
      await store.accounts.create(account)
      expect(await store.accounts.get('c')).toEqual(account)
      expect([await store.accounts.has('c'), await store.accounts.has('d')]).toEqual([true, false])
      expect(await store.accounts.findByEmail('aDA@example.COM')).toEqual(account)
      expect(await store.accounts.findBySecretKey('sk_c')).toEqual(account)
      expect(await store.accounts.findByEmail('bob@example.com')).toBeUndefined()
      expect(await store.accounts.findBySecretKey('SK_C')).toBeUndefined()
      expect(await store.accounts.list()).toEqual([account])
    })

    test('is not created with a taken email address, even at the same time', async () => {
      const store = await createStore()
      const email = 'ada@example.com'
      const created = ['a', 'b'].map(id => store.accounts.create(accountWith(id, { email })))
      const [first, second] = await Promise.allSettled(created)
      expect(first?.status).toBe('fulfilled')
      expect(second).toMatchObject({ reason: { code: 'invalid_parameter' } })
      const third = store.accounts.create(accountWith('c', { email: email.toUpperCase() }))
      await expect(third).rejects.toMatchObject({ code: 'invalid_parameter' })
      expect(await store.accounts.list()).toHaveLength(1)
    })

    test('is stored as the first one once, even at the same time', async () => {
      const store = await createStore()
      const created = ['a', 'b', 'c'].map(id => store.accounts.createFirst(accountWith(id)))
      expect((await Promise.all(created)).filter(isFirst => isFirst)).toHaveLength(1)
      const stored = await store.accounts.list()
      expect(stored).toHaveLength(1)
      expect(await store.accounts.createFirst(accountWith('d'))).toBe(false)
      await store.accounts.create(accountWith('e'))
      await store.accounts.remove(stored[0]?.id ?? '')
      expect(await store.accounts.createFirst(accountWith('f'))).toBe(false)
      await store.accounts.remove('e')
      expect(await store.accounts.createFirst(accountWith('g'))).toBe(true)
      expect(await store.accounts.list()).toEqual([accountWith('g')])
    })

    test('is found by its new keys after a change, and not by the old ones', async () => {
      const database = await createDatabase()
      const store = await database.open()
      await store.accounts.create(accountWith('a'))
      await store.accounts.change('a', found => ({ ...found, secretKey: 'new', email: 'n@e.w' }))
      for (const reader of [store, await database.openCopy()]) {
        expect((await reader.accounts.findBySecretKey('new'))?.id).toBe('a')
        expect((await reader.accounts.findByEmail('n@e.w'))?.id).toBe('a')
        expect(await reader.accounts.findBySecretKey('sk_a')).toBeUndefined()
        expect(await reader.accounts.findByEmail('a@example.com')).toBeUndefined()
      }
      expect(await store.accounts.change('none', found => found)).toBeUndefined()
    })

    test('is removed with all its records, and those of other accounts stay', async () => {
      const database = await createDatabase()
      const store = await database.open()
      await fill(store)
      await store.accounts.create(accountWith('aa'))
      await accept(store, 'aa1', { account: 'aa' })
      await store.doNotText.add([{ scope: 'a', number: '+2', at: start }], start, () => ({}))
      await store.doNotText.add([{ scope: 'aa', number: '+2', at: start }], start, () => ({}))
      const others = await readContent(store, ['b', 'aa'])
      await store.accounts.remove('a')
      for (const reader of [store, await database.openCopy()]) {
        expect(await readContent(reader, ['b', 'aa'])).toEqual({ ...others, token: undefined })
        const empty = { messages: [], events: [], subscriptions: [], doNotText: [] }
        const [left] = (await readContent(reader, ['a'])).content
        expect(left).toEqual({ account: undefined, ...empty, due: undefined })
        expect(await reader.accounts.findByEmail('a@example.com')).toBeUndefined()
        expect(await next(reader, 'phone')).toBeUndefined()
      }
      await store.accounts.create(accountWith('a'))
    })
  })

  describe('tokens', () => {
    const token = (id: string, kind: TokenKind, account = 'a', expiresAt = start) => {
      return { id, account, kind, expiresAt }
    }
    const kinds: TokenKind[] = ['api', 'app', 'login']

    async function tokens() {
      const store = await createStore()
      for (const kind of kinds) await store.tokens.put(token(kind, kind))
      await store.tokens.put(token('other', 'api', 'b', start + 1))
      const listLeft = async () => {
        const found = await Promise.all([...kinds, 'other'].map(id => store.tokens.get(id)))
        return found.map(each => each?.id ?? '-').join(' ')
      }
      return { store, listLeft }
    }

    test('are stored, replaced and removed', async () => {
      const { store, listLeft } = await tokens()
      await store.tokens.put(token('api', 'api', 'a', start + 5))
      expect((await store.tokens.get('api'))?.expiresAt).toBe(start + 5)
      await store.tokens.remove({ id: 'api' })
      await store.tokens.remove({ id: 'none' })
      expect(await listLeft()).toBe('- app login other')
    })

    test('expire at the latest time that they were given', async () => {
      const { store, listLeft } = await tokens()
      for (const later of [5, 9, 7]) await store.tokens.extend('api', start + later)
      expect((await store.tokens.get('api'))?.expiresAt).toBe(start + 9)
      await store.tokens.extend('none', start + 9)
      expect(await store.tokens.get('none')).toBeUndefined()
      await store.tokens.removeExpired(start + 9)
      expect(await listLeft()).toBe('api - - -')
    })

    test('of an account are removed by kind', async () => {
      const { store, listLeft } = await tokens()
      for (const kind of ['api', 'login'] as const)
        await store.tokens.remove({ account: 'a', kind })
      expect(await listLeft()).toBe('- app - other')
    })

    test('of one who signed in are listed and removed without those of others', async () => {
      const { store, listLeft } = await tokens()
      const login = { at: start, isSession: true, device: 'curl', address: '::1' }
      const ofPerson = { ...token('other', 'login'), person: 'p', login }
      await store.tokens.put(ofPerson)
      expect(await store.tokens.get('other')).toEqual(ofPerson)
      expect(await store.tokens.list({ account: 'a', kind: 'login', person: 'p' })).toEqual([
        ofPerson,
      ])
      expect(await store.tokens.list({ account: 'a', kind: 'login' })).toEqual([
        token('login', 'login'),
      ])
      await store.tokens.remove({ account: 'a', kind: 'login', person: 'q' })
      await store.tokens.remove({ account: 'a', kind: 'login' })
      expect(await listLeft()).toBe('api app - other')
      await store.tokens.remove({ account: 'a', kind: 'login', person: 'p' })
      expect(await listLeft()).toBe('api app - -')
    })

    test('are removed if they expired before a time', async () => {
      const { store, listLeft } = await tokens()
      await store.tokens.removeExpired(start)
      expect(await listLeft()).toBe('api app login other')
      await store.tokens.removeExpired(start + 1)
      expect(await listLeft()).toBe('- - - other')
    })
  })

  describe('subscriptions', () => {
    test('are listed in order of creation, of one account or of all', async () => {
      const database = await createDatabase()
      const store = await database.open()
      for (const [at, account] of ['a', 'b', 'a'].entries()) {
        await store.subscriptions.create(draftWith(`s${at}`, { account }))
      }
      await store.subscriptions.change('s0', found => ({ ...found, triggered: 4 }))
      for (const reader of [store, await database.openCopy()]) {
        const ids = async (account?: string) =>
          (await reader.subscriptions.list(account)).map(each => each.id)
        expect(await ids('a')).toEqual(['s0', 's2'])
        expect(await ids()).toEqual(['s0', 's1', 's2'])
        expect((await reader.subscriptions.get('s0'))?.triggered).toBe(4)
      }
    })

    test('are removed once, also by two requests at the same time', async () => {
      const store = await createStore()
      await store.subscriptions.create(draftWith('s1'))
      const removed = [store.subscriptions.remove('s1'), store.subscriptions.remove('s1')]
      expect(await Promise.all(removed)).toEqual([true, false])
      expect(await store.subscriptions.get('s1')).toBeUndefined()
      expect(await store.subscriptions.change('s1', found => found)).toBeUndefined()
    })
  })
}

/** Records that an account has few of, with mailboxes as the example. */
export function testAccountRecords(createDatabase: CreateDatabase): void {
  const createStore = async (options: StoreOptions = {}) => (await createDatabase()).open(options)
  const mailbox = (id: string, account = 'a'): Mailbox => ({
    ...{ id, account, name: '', hash: id, destinations: [], senders: [] },
    ...{ subject: 'never', length: 160, createdAt: start },
  })

  test('account records are created, replaced, listed and removed durably', async () => {
    const database = await createDatabase()
    const store = await database.open()
    for (const each of [mailbox('1'), mailbox('2', 'b'), mailbox('3')]) {
      expect(await store.mailboxes.change(each.id, () => each)).toEqual(each)
    }
    const moved = { ...mailbox('3'), createdAt: start + 1 }
    await store.mailboxes.change('3', current => (current?.createdAt === start ? moved : null))
    expect(await store.mailboxes.change('2', () => null)).toBeUndefined()
    expect(await store.mailboxes.change('none', () => null)).toBeUndefined()
    for (const reader of [store, await database.openCopy()]) {
      expect(await reader.mailboxes.list('a')).toEqual([mailbox('1'), moved])
      expect(await reader.mailboxes.list()).toHaveLength(2)
      expect(await reader.mailboxes.get('2')).toBeUndefined()
      expect(await reader.mailboxes.get('3')).toEqual(moved)
    }
  })

  test('a mailbox is found by the hash of its key, or by its alias', async () => {
    const database = await createDatabase()
    const store = await database.open()
    const { hash: _, ...named } = { ...mailbox('2'), alias: 'alarm' }
    for (const each of [mailbox('1'), named]) await store.mailboxes.change(each.id, () => each)
    for (const reader of [store, await database.openCopy()]) {
      expect(await reader.mailboxes.findBy('hash', '1')).toEqual(mailbox('1'))
      expect(await reader.mailboxes.findBy('alias', 'alarm')).toEqual(named)
      expect(await reader.mailboxes.findBy('hash', 'alarm')).toBeUndefined()
      expect(await reader.mailboxes.findBy('alias', '1')).toBeUndefined()
    }
    await store.mailboxes.change('1', () => null)
    expect(await store.mailboxes.findBy('hash', '1')).toBeUndefined()
  })

  test('an alias has one mailbox, also of several at the same time, until it is free', async () => {
    const store = await createStore()
    const create = (id: string) =>
      store.mailboxes.change(id, () => ({ ...mailbox(id), alias: 'alarm' }))
    const results = await Promise.allSettled(['1', '2', '3'].map(create))
    const refused = results.filter(each => each.status === 'rejected')
    expect(refused.map(each => each.reason.code)).toEqual(Array(2).fill('invalid_parameter'))
    const [stored] = await store.mailboxes.list()
    expect(await store.mailboxes.list()).toEqual([stored])
    const id = stored?.id ?? ''
    await store.mailboxes.change(id, () => ({ ...mailbox(id), alias: 'alarm', name: 'changed' }))
    expect(await store.mailboxes.findBy('alias', 'alarm')).toMatchObject({ id, name: 'changed' })
    await store.mailboxes.change(id, () => ({ ...mailbox(id), alias: 'other' }))
    expect(await store.mailboxes.findBy('alias', 'alarm')).toBeUndefined()
    await create('4')
    await store.mailboxes.change('4', () => null)
    expect(await create('5')).toMatchObject({ alias: 'alarm' })
  })

  test('account records are removed with their account, and those of others stay', async () => {
    const store = await createStore()
    for (const id of ['a', 'b']) await store.accounts.create(accountWith(id))
    await store.mailboxes.change('1', () => mailbox('1'))
    await store.mailboxes.change('2', () => mailbox('2', 'b'))
    await store.accounts.remove('a')
    expect(await store.mailboxes.list()).toEqual([mailbox('2', 'b')])
  })
}
