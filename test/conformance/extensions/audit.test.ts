import { expect, test } from 'vitest'
import { freshNumber, freshText } from '../acts.js'
import { type Caller, expectError, json, useCallers } from '../calls.js'

const at = useCallers()

interface Entry {
  readonly id: string
  readonly at: string
  readonly account: string
  readonly action: string
  readonly refused: boolean
  readonly actor: { readonly kind: string; readonly id?: string; readonly name?: string }
  readonly target?: { readonly kind: string; readonly id?: string; readonly name?: string }
  readonly detail?: string
  readonly address?: string
}

async function read(query: string, caller: Caller = at.api) {
  const reply = await caller.get(`/audit?${query}`)
  expect(reply.status, reply.text).toBe(200)
  const body = reply.body as unknown as {
    readonly audit: readonly { readonly entry: Entry }[]
    readonly links?: { readonly next?: { readonly method: string; readonly url: string } }
  }
  return { entries: body.audit.map(({ entry }) => entry), next: body.links?.next }
}

async function createGroup(name: string, caller: Caller = at.api): Promise<string> {
  const reply = await caller.call('POST', '/group', json({ name }))
  expect(reply.status, reply.text).toBe(200)
  return (reply.body as unknown as { group: { id: string } }).group.id
}

test('extension: a change has one entry, which says who, what and from where', async () => {
  const name = freshText()
  const id = await createGroup(name, at.person)
  const { entries } = await read(`target=${id}`)
  expect(entries).toEqual([
    {
      ...{ id: expect.any(String), account: expect.any(String), refused: false },
      at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      action: 'group.create',
      actor: { kind: 'person', id: expect.any(String), name: at.owner.email },
      target: { kind: 'group', id, name },
      ...{ address: expect.any(String), device: expect.any(String), request: expect.any(String) },
    },
  ])
  const reply = await at.api.get(`/audit/${entries[0]?.id}`)
  expect(reply.body).toEqual({ entry: entries[0] })
  expectError(await at.api.get('/audit/unknown'), 404, 'not_found')
})

test('extension: a removal has the name of what was removed', async () => {
  const [name, number] = [freshText(), freshNumber()]
  await at.api.call('POST', '/contact', json({ number, name, fields: { city: 'Köln' } }))
  await at.api.call('DELETE', `/contact/${encodeURIComponent(number)}`)
  const { entries } = await read(`target=${encodeURIComponent(name)}&action=contact.delete`)
  expect(entries).toMatchObject([{ target: { kind: 'contact', name }, actor: { kind: 'key' } }])
  expect(JSON.stringify(entries)).not.toContain(number.slice(1))
})

test('extension: a group that a contact or an import names has an entry of its own', async () => {
  const [known, added, edited, imported] = [freshText(), freshText(), freshText(), freshText()]
  const number = freshNumber()
  await createGroup(known)
  const contact = { number, groups: [known, added] }
  await at.api.call('POST', '/contact', json(contact))
  const path = `/contact/${encodeURIComponent(number)}`
  await at.api.call('PATCH', path, json({ groups: [known, edited] }))
  const contacts = [{ number, groups: [added, imported] }]
  await at.api.call('POST', '/contact/import', json({ contacts, dry_run: true }))
  expect((await read(`target=${encodeURIComponent(imported)}`)).entries).toEqual([])
  for (let round = 0; round < 2; round += 1)
    await at.api.call('POST', '/contact/import', json({ contacts }))
  const { entries: newest } = await read('count=3')
  expect(newest.map(({ action }) => action)).toEqual([
    ...['contact.import', 'group.create', 'contact.change'],
  ])
  for (const name of [known, added, edited, imported]) {
    const { entries } = await read(`target=${encodeURIComponent(name)}`)
    const target = { kind: 'group', id: expect.any(String), name }
    expect(entries, name).toMatchObject([
      { action: 'group.create', target, actor: { kind: 'key' } },
    ])
  }
})

test('extension: a request that fails or changes nothing has no entry', async () => {
  const name = freshText()
  const id = await createGroup(name)
  expect((await at.api.call('POST', '/group', json({ name }))).status).toBe(400)
  expect((await at.api.call('PATCH', `/group/${id}`, json({ name }))).status).toBe(200)
  expect((await at.api.call('PATCH', '/group/unknown', json({ name }))).status).toBe(404)
  const { entries } = await read(`action=group&target=${encodeURIComponent(name)}`)
  expect(entries.map(({ action }) => action)).toEqual(['group.create'])
})

test('extension: the newest entries are first, in pages, and filters choose some', async () => {
  const word = freshText()
  for (const each of ['1', '2', '3']) await createGroup(`${word} ${each}`)
  const filter = `target=${encodeURIComponent(word)}`
  const first = await read(`${filter}&action=group&count=2`)
  expect(first.entries.map(({ target }) => target?.name)).toEqual([`${word} 3`, `${word} 2`])
  const { search = '' } = new URL(first.next?.url ?? '')
  const last = await read(search.slice(1))
  expect(last.entries.map(({ target }) => target?.name)).toEqual([`${word} 1`])
  expect(last.next).toBeUndefined()
  const count = async (query: string) => (await read(`${filter}&${query}`)).entries.length
  expect(await count('action=group.create&actor=api%20key')).toBe(3)
  expect(await count('action=grou')).toBe(0)
  expect(await count('actor=nobody')).toBe(0)
  expect(await count('address=192.0.2.99')).toBe(0)
  expect(await count('since=2000-01-01%2000:00:00&until=2000-01-02%2000:00:00')).toBe(0)
  expect(await count('since=2000-01-01%2000:00:00')).toBe(3)
})

test.each([
  ['count=0', 'count'],
  ['count=101', 'count'],
  ['since=yesterday', 'since'],
  ['until=yesterday', 'until'],
  ['action=', 'action'],
  [`actor=${'x'.repeat(255)}`, 'actor'],
])('extension: GET /audit?%s is refused', async (query, naming) => {
  expectError(await at.api.get(`/audit?${query}`), 400, 'invalid_parameter', naming)
})

test('extension: the owner sees all accounts, another account sees its own entries', async () => {
  const [own, other] = [freshText(), freshText()]
  const id = await createGroup(own)
  await createGroup(other, at.stranger)
  const find = async (name: string, query: string, caller: Caller) =>
    (await read(`target=${encodeURIComponent(name)}${query}`, caller)).entries.length
  expect(await find(own, '', at.api)).toBe(1)
  expect(await find(other, '', at.api)).toBe(1)
  expect(await find(other, `&account=${at.other.email}`, at.api)).toBe(1)
  expect(await find(other, `&account=${at.owner.email}`, at.api)).toBe(0)
  expect(await find(other, '', at.stranger)).toBe(1)
  expect(await find(other, `&account=${at.other.email}`, at.stranger)).toBe(1)
  expect(await find(own, '', at.stranger)).toBe(0)
  const refused = await at.stranger.get(`/audit?account=${at.owner.email}`)
  expectError(refused, 404, 'not_found')
  const [entry] = (await read(`target=${id}`)).entries
  expectError(await at.stranger.get(`/audit/${entry?.id}`), 404, 'not_found')
})

test('extension: phones cannot read the audit log, and nobody can change it', async () => {
  await createGroup(freshText())
  expectError(await at.phone.get('/audit'), 403, 'insufficient_scope')
  const before = await read('count=1')
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    for (const path of ['/audit', `/audit/${before.entries[0]?.id}`])
      expect((await at.api.call(method, path, json({}))).status, `${method} ${path}`).toBe(405)
  }
  expect((await read('count=1')).entries).toEqual(before.entries)
})
