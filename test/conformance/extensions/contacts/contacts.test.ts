import { expect, test } from 'vitest'
import { freshNumber, freshText } from '../../acts.js'
import { type Caller, expectError, json, useCallers } from '../../calls.js'

const at = useCallers()
const formatPath = (number: string) => `/contact/${encodeURIComponent(number)}`

interface Contact {
  readonly number: string
  readonly name: string
  readonly fields: Record<string, string>
  readonly groups: readonly string[]
}

async function call(method: string, path: string, body?: object, caller: Caller = at.api) {
  const reply = await caller.call(method, path, body === undefined ? {} : json(body))
  expect(reply.status, reply.text).toBe(200)
  return reply.body as unknown as Record<string, unknown>
}

const add = async (contact: object) =>
  (await call('POST', '/contact', contact)).contact as unknown as Contact
const read = async (number: string) =>
  (await call('GET', formatPath(number))).contact as unknown as Contact

async function listNumbers(query: string): Promise<string[]> {
  const { contacts } = await call('GET', `/contact?${query}`)
  return (contacts as { contact: Contact }[]).map(({ contact }) => contact.number)
}

test('extension: a contact is added, read, changed and deleted', async () => {
  const [number, group] = [freshNumber(), freshText()]
  const draft = { number, name: 'Ann', fields: { City: 'Köln' }, groups: [group] }
  const added = await add(draft)
  expect(added).toMatchObject({ ...draft, fields: { city: 'Köln' } })
  expect(await read(number)).toEqual(added)
  const changed = await call('PATCH', formatPath(number), { name: 'Anna', groups: [] })
  expect(changed.contact).toEqual({ ...added, name: 'Anna', groups: [] })
  expect(await call('DELETE', formatPath(number))).toEqual({ contact: { number } })
  expectError(await at.api.get(formatPath(number)), 404, 'not_found')
})

test.each([
  [{ number: 'abc' }, 'number'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ name: 'a\nb' }, 'name'],
  [{ fields: { to: 'x' } }, 'fields'],
  [{ fields: { 'a{b': 'x' } }, 'fields'],
  [{ fields: { a: 7 } }, 'fields'],
  [{ groups: ['a,b'] }, 'groups'],
  [{ groups: [''] }, 'groups'],
])('extension: POST /contact with %j is invalid_parameter', async (wrong, field) => {
  const number = freshNumber()
  const reply = await at.api.call('POST', '/contact', json({ number, ...wrong }))
  expectError(reply, 400, 'invalid_parameter', field)
  expectError(await at.api.get(formatPath(number)), 404, 'not_found')
})

test('extension: a second contact of a number is invalid_parameter', async () => {
  const number = freshNumber()
  await add({ number, name: 'Ann' })
  const reply = await at.api.call('POST', '/contact', json({ number, name: 'Bob' }))
  expectError(reply, 400, 'invalid_parameter', 'number')
  expect((await read(number)).name).toBe('Ann')
})

test('extension: an import adds and changes contacts, all or none of them', async () => {
  const [known, other, group] = [freshNumber(), freshNumber(), freshText()]
  await add({ number: known, name: 'Ann', fields: { age: '7' } })
  const contacts = [
    { number: known, name: '', fields: { city: 'Köln' }, groups: [group] },
    { number: other, name: 'Bob' },
    { number: '12' },
  ]
  const path = '/contact/import'
  const counts = { added: 1, changed: 1, unchanged: 0, invalid: [{ index: 2 }] }
  expect(await call('POST', path, { contacts })).toMatchObject(counts)
  expect((await read(known)).groups).toEqual([])
  const dry = { contacts, skip_invalid: true, dry_run: true }
  expect(await call('POST', path, dry)).toMatchObject(counts)
  expectError(await at.api.get(formatPath(other)), 404, 'not_found')
  expect(await call('POST', path, { contacts, skip_invalid: true })).toMatchObject(counts)
  const merged = { name: 'Ann', fields: { age: '7', city: 'Köln' }, groups: [group] }
  expect(await read(known)).toMatchObject(merged)
  const again = await call('POST', path, { contacts, skip_invalid: true })
  expect(again).toMatchObject({ added: 0, changed: 0, unchanged: 2 })
})

test('extension: contacts are listed by name in pages, by group and by a part', async () => {
  const group = freshText()
  const numbers = [freshNumber(), freshNumber(), freshNumber()]
  const names = [`z ${group}`, `Ä ${group}`, `b ${group}`]
  for (const [place, number] of numbers.entries())
    await add({ number, name: names[place], groups: place === 2 ? [] : [group] })
  const inOrder = [numbers[1], numbers[2], numbers[0]]
  expect(await listNumbers(new URLSearchParams({ search: group }).toString())).toEqual(inOrder)
  const query = new URLSearchParams({ group, count: '1' })
  const page = await call('GET', `/contact?${query}`)
  const { url } = (page.links as { next: { url: string } }).next
  expect(await listNumbers(`${query}`)).toEqual([numbers[1]])
  const after = new URL(url).searchParams.get('after') ?? ''
  expect(await listNumbers(`${query}&after=${after}`)).toEqual([numbers[0]])
  const missing = new URLSearchParams({ group: freshText() })
  expectError(await at.api.get(`/contact?${missing}`), 404, 'not_found')
  expectError(await at.api.get('/contact?after=%00'), 400, 'invalid_parameter', 'after')
})

test('extension: a deleted group leaves its members, and names are unique', async () => {
  const [number, group, name] = [freshNumber(), freshText(), freshText()]
  await add({ number, groups: [group] })
  const { groups } = await call('GET', '/group')
  const list = (groups as { group: { id: string; name: string; members: number } }[]).map(
    each => each.group,
  )
  const { id = '', members } = list.find(each => each.name === group) ?? {}
  expect(members).toBe(1)
  await call('PATCH', `/group/${id}`, { name })
  expect((await read(number)).groups).toEqual([name])
  const taken = await at.api.call('POST', '/group', json({ name: name.toUpperCase() }))
  expectError(taken, 400, 'invalid_parameter', 'name')
  await call('DELETE', `/group/${id}`)
  expect((await read(number)).groups).toEqual([])
  expectError(await at.api.delete(`/group/${id}`), 404, 'not_found')
})
