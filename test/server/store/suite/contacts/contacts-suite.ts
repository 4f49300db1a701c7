import { expect, test } from 'vitest'
import { buildContactKey, type Contact } from '../../../../../src/domain/contact/contact.js'
import type { ContactQuery } from '../../../../../src/server/store/contact-store.js'
import type { Store } from '../../../../../src/server/store/store.js'
import { accountWith, start } from '../../rig.js'
import type { CreateDatabase } from '../test-database.js'

const toNumber = (at: number) => `+1202555${String(at).padStart(4, '0')}`

function contactWith(at: number, name: string, changes: Partial<Contact> = {}): Contact {
  return { account: 'a', number: toNumber(at), name, createdAt: start, ...changes }
}

async function put(store: Store, contacts: readonly Contact[]): Promise<void> {
  const { account = 'a' } = contacts[0] ?? {}
  const byNumber = new Map(contacts.map(contact => [contact.number, contact]))
  await store.contacts.changeAll(account, [...byNumber.keys()], number => byNumber.get(number))
}

async function listNames(store: Store, query: Partial<ContactQuery> = {}, account = 'a') {
  const page = await store.contacts.getPage(account, { count: 100, ...query })
  return page.map(({ name }) => name)
}

const people = [
  contactWith(3, 'Zoë', { groups: ['g1', 'g2'], fields: { city: 'Köln "Süd"' } }),
  contactWith(1, 'ann'),
  contactWith(4, 'Ärzte', { groups: ['g1'] }),
  contactWith(2, 'Bob'),
]

export function testContacts(createDatabase: CreateDatabase): void {
  test('contacts are stored durably and listed by name, without case and accents', async () => {
    const database = await createDatabase()
    const store = await database.open()
    await put(store, people)
    await put(store, [contactWith(1, 'Stranger', { account: 'b', groups: ['g1'] })])
    for (const reader of [store, await database.openCopy()]) {
      expect(await listNames(reader)).toEqual(['ann', 'Ärzte', 'Bob', 'Zoë'])
      expect(await reader.contacts.count('a')).toBe(4)
      const found = await reader.contacts.find('a', [toNumber(3), toNumber(9), toNumber(1)])
      expect(found).toEqual([people[0], people[1]])
      const members = await reader.contacts.countMembers('a')
      expect(Object.fromEntries(members)).toEqual({ g1: 2, g2: 1 })
    }
    expect(await store.contacts.find('a', [])).toEqual([])
  })

  test('a page begins after a key, and can have one group', async () => {
    const store = await (await createDatabase()).open()
    await put(store, people)
    const after = buildContactKey(people[2] as Contact)
    expect(await listNames(store, { after, count: 1 })).toEqual(['Bob'])
    expect(await listNames(store, { group: 'g1' })).toEqual(['Ärzte', 'Zoë'])
    expect(await listNames(store, { group: 'g1', after })).toEqual(['Zoë'])
    expect(await listNames(store, { group: 'none' })).toEqual([])
    expect(await listNames(store, { words: 'o' })).toEqual(['Bob', 'Zoë'])
    expect(await listNames(store, { words: 'o', after, count: 1 })).toEqual(['Bob'])
    expect(await listNames(store, { words: '5550004' })).toEqual(['Ärzte'])
    expect(await listNames(store, { words: 'o', group: 'g2' })).toEqual(['Zoë'])
  })

  test('changes decide on the present contact; null removes it', async () => {
    const database = await createDatabase()
    const store = await database.open()
    await put(store, people)
    const numbers = [1, 2, 3, 9].map(toNumber)
    await store.contacts.changeAll('a', numbers, (number, current) => {
      if (number === toNumber(1)) return null
      if (number === toNumber(2)) return current
      if (current === undefined) return undefined
      const { groups: _, ...rest } = current
      return { ...rest, name: `${current.name} Z` }
    })
    for (const reader of [store, await database.openCopy()]) {
      expect(await listNames(reader)).toEqual(['Ärzte', 'Bob', 'Zoë Z'])
      expect(await listNames(reader, { group: 'g1' })).toEqual(['Ärzte'])
      expect(Object.fromEntries(await reader.contacts.countMembers('a'))).toEqual({ g1: 1 })
    }
    const failing = store.contacts.changeAll('a', [toNumber(2)], () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
  })

  test('changes of one contact at the same time are all made', async () => {
    const store = await (await createDatabase()).open()
    const numbers = [toNumber(1), toNumber(2)]
    const append = async (letter: string) =>
      await store.contacts.changeAll('a', numbers, (number, current) => ({
        ...contactWith(0, ''),
        ...{ number, name: (current?.name ?? '') + letter },
      }))
    await Promise.all([...'abcdefgh'].map(append))
    const found = await store.contacts.find('a', numbers)
    expect(found.map(({ name }) => [...name].sort().join(''))).toEqual(['abcdefgh', 'abcdefgh'])
  })

  test('a thousand contacts are stored at once, and removed with their account', async () => {
    const database = await createDatabase()
    const store = await database.open()
    await store.accounts.create(accountWith('a'))
    await store.accounts.create(accountWith('b'))
    const many = Array.from({ length: 1001 }, (_, at) => contactWith(at, `${(at * 7) % 1001}`))
    await put(store, many)
    await put(store, [contactWith(1, 'Stays', { account: 'b' })])
    const records = { createdAt: start, name: 'Team' }
    for (const account of ['a', 'b']) {
      await store.groups.change(`g${account}`, () => ({ ...records, id: `g${account}`, account }))
      const template = { ...records, id: `t${account}`, account, text: 'Hi {name}' }
      await store.templates.change(template.id, () => template)
    }
    expect(await store.contacts.count('a')).toBe(1001)
    await store.accounts.remove('a')
    for (const reader of [store, await database.openCopy()]) {
      expect(await reader.contacts.count('a')).toBe(0)
      expect(await listNames(reader)).toEqual([])
      expect(await reader.groups.list('a')).toEqual([])
      expect(await reader.templates.list('a')).toEqual([])
      expect(await listNames(reader, {}, 'b')).toEqual(['Stays'])
      expect(await reader.groups.list('b')).toHaveLength(1)
      expect(await reader.templates.list('b')).toHaveLength(1)
    }
  })

  test('the name of a group is unique in its account, also of several at once', async () => {
    const store = await (await createDatabase()).open()
    const create = (id: string, name: string, account = 'a') =>
      store.groups.change(id, () => ({ id, account, name, createdAt: start }))
    const results = await Promise.allSettled([create('1', 'Team'), create('2', 'TÉAM')])
    const codes = results.map(each => (each.status === 'rejected' ? each.reason.code : 'created'))
    expect(codes.sort()).toEqual(['created', 'invalid_parameter'])
    const [stored] = await store.groups.list('a')
    await create(stored?.id ?? '', 'team')
    await create('3', 'Team', 'b')
    await create('4', 'Others')
    await expect(create('4', 'Team')).rejects.toMatchObject({ code: 'invalid_parameter' })
    await store.groups.change(stored?.id ?? '', () => null)
    expect(await create('4', 'Team')).toMatchObject({ name: 'Team' })
  })
}
