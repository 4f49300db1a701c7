import { expect, onTestFinished, test } from 'vitest'
import { type Caller, expectError, json, type Reply, useCallers } from '../calls.js'

const at = useCallers()

interface Mailbox {
  readonly id: string
  readonly address: string
  readonly key?: string
}

/** Parses the envelopes of a reply about mailboxes. */
const body = (reply: Reply) =>
  reply.body as unknown as {
    mailbox: Mailbox & Record<string, unknown>
    mailboxes: { mailbox: Mailbox }[]
    links: Record<string, { method: string; url: string }>
  }

async function make(caller: Caller, fields: Record<string, unknown> = {}): Promise<Reply> {
  const reply = await caller.call('POST', '/mailbox', json(fields))
  const { id } = body(reply).mailbox ?? {}
  if (id !== undefined) {
    onTestFinished(async () => {
      await caller.delete(`/mailbox/${id}`)
    })
  }
  return reply
}

const listIds = async (caller: Caller): Promise<string[]> =>
  body(await caller.get('/mailbox')).mailboxes.map(({ mailbox }) => mailbox.id)

const freshAlias = () => `a${crypto.randomUUID().slice(0, 8)}`

test('extension: only the reply of POST /mailbox has the key', async () => {
  const reply = await make(at.api)
  expect(reply.status, reply.text).toBe(200)
  expect(reply.headers.get('cache-control')).toBe('no-store')
  const { mailbox, links } = body(reply)
  const { id, address, key, created_on, receiving, ...rest } = mailbox
  expect(key).toMatch(/^[a-z2-7]{32}$/)
  expect(address).toMatch(new RegExp(`^<number>\\.${key}@.`))
  expect(created_on).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  expect(typeof receiving).toBe('boolean')
  expect(rest).toEqual({
    ...{ name: '', alias: null, destinations: [], senders: [] },
    ...{ subject: 'never', hourly_limit: null, max_length: 1600 },
  })
  expect(Object.keys(links).sort()).toEqual(['delete', 'list', 'new'])
  const listed = await at.api.get('/mailbox')
  expect(body(listed).mailboxes.map(each => each.mailbox.id)).toContain(id)
  expect(listed.text).not.toContain(key)
})

test('extension: a mailbox with an alias has no key', async () => {
  const alias = freshAlias()
  const reply = await make(at.api, {
    ...{ name: 'Alarms', alias: alias.toUpperCase(), destinations: ['+12025550143'] },
    ...{ senders: ['@Example.com'], subject: 'first', hourly_limit: 5, max_length: 160 },
  })
  const { mailbox } = body(reply)
  expect(mailbox.key).toBeUndefined()
  expect(mailbox.address).toMatch(new RegExp(`^${alias}@.`))
  expect(mailbox).toMatchObject({
    ...{ name: 'Alarms', alias, destinations: ['+12025550143'], senders: ['@example.com'] },
    ...{ subject: 'first', hourly_limit: 5, max_length: 160 },
  })
})

test('extension: POST /mailbox accepts a form with comma-separated lists', async () => {
  const fields = { destinations: '+12025550143, +12025550144', senders: 'a@example.com' }
  const reply = await at.api.call('POST', '/mailbox', { body: new URLSearchParams(fields) })
  const { mailbox } = body(reply)
  await at.api.delete(`/mailbox/${mailbox.id}`)
  expect(mailbox).toMatchObject({
    destinations: ['+12025550143', '+12025550144'],
    senders: ['a@example.com'],
  })
})

test.each([
  ['alias', 'no.dots', 'alias'],
  ['alias', 'postmaster', 'alias'],
  ['alias', '1st', 'alias'],
  ['destinations', ['nobody'], 'destinations'],
  ['destinations', Array(21).fill('+12025550143'), 'destinations'],
  ['senders', ['example.com'], 'senders'],
  ['senders', [5], 'senders'],
  ['subject', 'last', 'subject'],
  ['hourly_limit', 0, 'hourly_limit'],
  ['hourly_limit', 1, 'hourly_limit'],
  ['max_length', 1601, 'max_length'],
  ['name', 'a'.repeat(101), 'name'],
])('extension: POST /mailbox with %s %j is invalid_parameter', async (field, value, naming) => {
  const before = await listIds(at.api)
  const usual = { destinations: ['+12025550143', '+12025550144'], senders: ['*'] }
  const reply = await make(at.api, { ...usual, [field]: value })
  expectError(reply, 400, 'invalid_parameter', naming)
  expect(await listIds(at.api)).toEqual(before)
})

test.each([
  ['destinations', { senders: ['*'] }],
  ['senders', { destinations: ['+12025550143'] }],
])('extension: an alias without %s is invalid_request', async (naming, fields) => {
  expectError(
    await make(at.api, { alias: freshAlias(), ...fields }),
    400,
    'invalid_request',
    naming,
  )
})

test('extension: an alias is unique on the relay', async () => {
  const fields = { alias: freshAlias(), destinations: ['+12025550143'], senders: ['*'] }
  const made = await Promise.all([make(at.api, fields), make(at.api, fields)])
  expect(made.map(({ status }) => status).sort()).toEqual([200, 400])
  expectError(await make(at.stranger, fields), 400, 'invalid_parameter', 'alias')
})

test('extension: mailboxes require a token with full scope', async () => {
  const { id } = body(await make(at.api)).mailbox
  const refused = [
    await at.phone.get('/mailbox'),
    await at.phone.post('/mailbox', {}),
    await at.phone.delete(`/mailbox/${id}`),
  ]
  for (const reply of refused) expectError(reply, 403, 'insufficient_scope')
})
