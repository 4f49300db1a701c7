import { expect, test } from 'vitest'
import { createDue, createMessage, drain } from '../acts.js'
import { type Caller, expectError, type Reply, useCallers } from '../calls.js'

const at = useCallers()

interface Phone {
  name: string
  driver: string
  first_next_on: string | null
  last_next_on: string | null
  last_seen_on: string
  quiet_until: string | null
  last_quiet_on: string | null
  last_success_on: string | null
  last_failure_on: string | null
  silent: boolean
}

interface Queue {
  waiting: number
  due: number
  leased: number
  oldest_due_on: string | null
  counted_on: string
}

const time = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

/** The body of a reply of these extensions. */
function bodyOf<T>(reply: Reply): T {
  expect(reply.status, reply.text).toBe(200)
  return JSON.parse(reply.text) as T
}

async function phones(caller: Caller = at.api): Promise<Phone[]> {
  const { phones: all } = bodyOf<{ phones: { phone: Phone }[] }>(await caller.get('/phone'))
  return all.map(({ phone }) => phone)
}

async function phone(name: string): Promise<Phone | undefined> {
  return (await phones()).find(each => each.name === name)
}

async function queue(caller: Caller = at.api): Promise<Queue> {
  return bodyOf<{ queue: Queue }>(await caller.get('/message/queue')).queue
}

/** NEXT of a phone that says who it is. */
async function next(name: string, driver?: string, caller: Caller = at.phone): Promise<Reply> {
  const said = driver === undefined ? {} : { 'x-phone-driver': driver }
  return await caller.next({ headers: { 'x-phone-name': name, ...said } })
}

test('extension: a phone is known by the header fields of its NEXT', async () => {
  await next('front desk', 'modem')
  const known = await phone('front desk')
  expect(known).toEqual({
    ...{ name: 'front desk', driver: 'modem', silent: false },
    ...{ first_next_on: expect.stringMatching(time), last_next_on: expect.stringMatching(time) },
    ...{ last_success_on: null, last_failure_on: null },
    ...{ last_seen_on: known?.last_next_on, quiet_until: null, last_quiet_on: null },
  })
})

test('extension: GET /message/next is a sign of life, too', async () => {
  await at.phone.call('GET', '/message/next', { headers: { 'x-phone-name': 'by GET' } })
  expect(await phone('by GET')).toMatchObject({ driver: 'unknown' })
})

test('extension: a phone that says nothing is the one that is unnamed', async () => {
  await at.phone.next()
  await at.secondPhone.next()
  const unnamed = (await phones()).filter(each => each.name === 'unnamed')
  expect(unnamed).toMatchObject([{ driver: 'unknown', silent: false }])
})

test.each(['x'.repeat(65), 'a\tb', 'b\u00fcro', '..'])(
  'extension: a phone named %j is unnamed, and gets its message',
  async name => {
    await drain(at.phone)
    const { id } = await createDue(at.api)
    const reply = await next(name, 'modem')
    expect(reply.body.message?.id, reply.text).toBe(id)
    expect((await phones()).map(each => each.name)).not.toContain(name)
    expect(await phone('unnamed')).toMatchObject({ driver: 'modem' })
    await at.phone.put(`/message/${id}/success`, { parts: 1 })
  },
)

test('extension: reports count for the phone that took the message', async () => {
  await drain(at.phone)
  const phones = [
    { name: 'one', caller: at.phone },
    { name: 'two', caller: at.secondPhone },
  ]
  for (const { name, caller } of phones) {
    await createDue(at.api)
    const { message } = (await next(name, 'modem', caller)).body
    const [path, report] =
      name === 'one' ? ['success', { parts: 1 }] : ['failure', { error_message: 'busy' }]
    expect((await caller.put(`/message/${message.id}/${path}`, report)).status).toBe(200)
  }
  const when = expect.stringMatching(time)
  expect(await phone('one')).toMatchObject({ last_success_on: when, last_failure_on: null })
  expect(await phone('two')).toMatchObject({ last_success_on: null, last_failure_on: when })
})

test('extension: a report that is refused counts for nobody', async () => {
  await next('wrong', 'modem')
  const headers = { 'x-phone-name': 'wrong', 'content-type': 'application/json' }
  const wrong = { headers, body: '{"parts":1}' }
  expectError(await at.phone.call('PUT', '/message/none/success', wrong), 404, 'not_a_message')
  expect(await phone('wrong')).toMatchObject({ last_success_on: null })
})

test('extension: a report that names its phone counts for that one, whatever its token', async () => {
  await next('two-faced', 'modem')
  await next('another', 'modem', at.secondPhone)
  const { id } = await createDue(at.api)
  const headers = { 'x-phone-name': 'two-faced', 'content-type': 'application/json' }
  await at.secondPhone.call('PUT', `/message/${id}/success`, { headers, body: '{"parts":1}' })
  expect(await phone('two-faced')).toMatchObject({ last_success_on: expect.stringMatching(time) })
  expect(await phone('another')).toMatchObject({ last_success_on: null })
})

test('extension: DELETE /phone/<name> forgets it until it asks again', async () => {
  await next('a/b %', 'modem')
  const path = `/phone/${encodeURIComponent('a/b %')}`
  const gone = bodyOf<{ phone: Phone }>(await at.api.delete(path))
  expect(gone.phone).toMatchObject({ name: 'a/b %', driver: 'modem' })
  expect(await phone('a/b %')).toBeUndefined()
  expectError(await at.api.delete(path), 404, 'not_found', 'a/b %')
  await next('a/b %', 'modem')
  expect(await phone('a/b %')).toBeDefined()
})

test('extension: phones of another account are never seen', async () => {
  await next('mine', 'modem')
  expect((await phones(at.stranger)).map(each => each.name)).not.toContain('mine')
  expectError(await at.stranger.delete('/phone/mine'), 404, 'not_found')
  expect(await phone('mine')).toBeDefined()
})

test('extension: phones and statistics are for tokens of full scope', async () => {
  expect(await phones(at.person)).toEqual(await phones())
  for (const call of [
    at.phone.get('/phone'),
    at.phone.delete('/phone/unnamed'),
    at.phone.get('/statistics'),
  ]) {
    expectError(await call, 403, 'insufficient_scope')
  }
})

test('extension: GET /message/queue counts what waits, is due and is leased', async () => {
  await drain(at.phone)
  const before = await queue()
  expect(before).toMatchObject({ due: 0, oldest_due_on: null })
  await createDue(at.api)
  const first = await queue()
  expect(first).toMatchObject({ waiting: before.waiting + 1, due: 1, leased: before.leased })
  expect(first.oldest_due_on).toMatch(time)
  expect(first.counted_on).toMatch(time)
  const later = await createMessage(at.api, { send_on: '2999-01-01 00:00:00' })
  expect(await queue()).toMatchObject({ waiting: before.waiting + 2, due: 1 })
  const { message } = (await at.phone.next()).body
  expect(await queue()).toMatchObject({ due: 0, leased: before.leased + 1, oldest_due_on: null })
  await at.phone.put(`/message/${message.id}/success`, { parts: 1 })
  await at.api.delete(`/message/${later.id}`)
  expect(await queue()).toMatchObject({ waiting: before.waiting, leased: before.leased })
})

/** A time so many seconds from now. */
function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
}

/** GET /message/queue of a phone that says that it is there, and maybe until when it is at rest. */
async function isThere(name: string, until?: string, caller: Caller = at.phone): Promise<Reply> {
  const rest = until === undefined ? {} : { 'x-phone-quiet-until': until }
  const headers = { 'x-phone-name': name, 'x-phone-driver': 'modem', ...rest }
  const reply = await caller.call('GET', '/message/queue', { headers })
  expect(bodyOf<{ queue: Queue }>(reply).queue.counted_on).toMatch(time)
  return reply
}

test('extension: a phone at rest says so with GET /message/queue, which is no NEXT', async () => {
  const until = inSeconds(3600)
  await isThere('sleepy', until)
  expect(await phone('sleepy')).toEqual({
    ...{ name: 'sleepy', driver: 'modem', silent: false },
    ...{ first_next_on: null, last_next_on: null, last_success_on: null, last_failure_on: null },
    ...{ last_seen_on: expect.stringMatching(time), quiet_until: until, last_quiet_on: null },
  })
})

test('extension: a phone that says that it is there takes nothing, and keeps what it has in hand', async () => {
  await drain(at.phone)
  const { id } = await createDue(at.api)
  expect((await next('keeper')).body.message.id).toBe(id)
  const other = await createDue(at.api)
  const before = await queue()
  await isThere('keeper', inSeconds(3600))
  expect(await queue()).toMatchObject({ due: before.due, leased: before.leased })
  expect((await next('keeper')).body.message.id).toBe(id)
  expect((await at.phone.put(`/message/${id}/success`, { parts: 1 })).status).toBe(200)
  expect((await next('keeper')).body.message.id).toBe(other.id)
  await at.phone.put(`/message/${other.id}/success`, { parts: 1 })
})

test('extension: NEXT ends the rest of a phone', async () => {
  await drain(at.phone)
  await isThere('early riser', inSeconds(3600))
  await next('early riser')
  const known = await phone('early riser')
  expect(known).toMatchObject({ quiet_until: null, last_quiet_on: expect.stringMatching(time) })
  expect(known?.last_quiet_on).toBe(known?.first_next_on)
})

test('extension: a report leaves a phone at rest', async () => {
  await drain(at.phone)
  const { id } = await createDue(at.api)
  await next('reporter')
  const until = inSeconds(3600)
  await isThere('reporter', until)
  const headers = { 'x-phone-name': 'reporter', 'content-type': 'application/json' }
  await at.phone.call('PUT', `/message/${id}/success`, { headers, body: '{"parts":1}' })
  const when = expect.stringMatching(time)
  expect(await phone('reporter')).toMatchObject({ last_success_on: when, quiet_until: until })
})

test.each(['soon', '2999-01-01', '2999-02-30 00:00:00', '2999-01-01T00:00:00Z'])(
  'extension: X-Phone-Quiet-Until: %s says nothing of a rest',
  async until => {
    await isThere('unclear', inSeconds(3600))
    await isThere('unclear', until)
    expect(await phone('unclear')).toMatchObject({ quiet_until: null, silent: false })
  },
)

test('extension: a rest that is over is none', async () => {
  const until = inSeconds(-60)
  await isThere('punctual', until)
  expect(await phone('punctual')).toMatchObject({ quiet_until: null, last_quiet_on: until })
})

test('extension: a rest is of seven days at most', async () => {
  await isThere('hermit', '2999-01-01 00:00:00')
  const { quiet_until: until } = (await phone('hermit')) ?? {}
  expect(until).toMatch(time)
  expect(`${until}` > inSeconds(6.9 * 86_400) && `${until}` < inSeconds(7.1 * 86_400)).toBe(true)
})

test('extension: GET /message/queue that names no phone, or with another token, is no sign of life', async () => {
  const before = await phones()
  await queue(at.phone)
  await isThere('', undefined)
  await isThere('no phone', inSeconds(3600), at.api)
  await isThere('no phone', inSeconds(3600), at.person)
  expect((await phones()).map(({ name }) => name)).toEqual(before.map(({ name }) => name))
  const unnamed = (all: Phone[]) => all.find(each => each.name === 'unnamed')
  expect(unnamed(await phones())).toEqual(unnamed(before))
})

test('extension: GET /message/queue is for any token, of its own account', async () => {
  const depth = ({ counted_on: _, ...rest }: Queue) => rest
  const own = depth(await queue())
  expect(depth(await queue(at.phone))).toEqual(own)
  expect(depth(await queue(at.person))).toEqual(own)
  await createMessage(at.api, { send_on: '2999-01-01 00:00:00' })
  expect(depth(await queue(at.stranger))).toMatchObject({ waiting: 0 })
})
