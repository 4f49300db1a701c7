import { expect, test } from 'vitest'
import { createDue, createMessage, drain } from '../acts.js'
import { expectError } from '../calls.js'
import { type Phone, usePhones } from './extension-rigs.js'

const { at, time, parseBody, phones, phone, queue, next } = usePhones()

test('extension: NEXT registers the phone of its header fields', async () => {
  await next('front desk', 'modem')
  const known = await phone('front desk')
  expect(known).toEqual({
    ...{ name: 'front desk', driver: 'modem', silent: false },
    ...{ first_next_on: expect.stringMatching(time), last_next_on: expect.stringMatching(time) },
    ...{ last_success_on: null, last_failure_on: null },
    ...{ last_seen_on: known?.last_next_on, quiet_until: null, last_quiet_on: null },
    ...{ signal: null, operator: null, rate: null, network_on: null },
  })
})

test('extension: GET /message/next counts as presence', async () => {
  await at.phone.call('GET', '/message/next', { headers: { 'x-phone-name': 'by GET' } })
  expect(await phone('by GET')).toMatchObject({ driver: 'unknown' })
})

test('extension: NEXT without header fields registers the unnamed phone', async () => {
  await at.phone.next()
  await at.secondPhone.next()
  const unnamed = (await phones()).filter(each => each.name === 'unnamed')
  expect(unnamed).toMatchObject([{ driver: 'unknown', silent: false }])
})

test.each(['x'.repeat(65), 'a\tb', 'b\u00fcro', '..'])(
  'extension: a phone with the invalid name %j is unnamed and gets its message',
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

test('extension: a report counts for the phone that claimed the message', async () => {
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

test('extension: a rejected report does not count for a phone', async () => {
  await next('wrong', 'modem')
  const headers = { 'x-phone-name': 'wrong', 'content-type': 'application/json' }
  const wrong = { headers, body: '{"parts":1}' }
  expectError(await at.phone.call('PUT', '/message/none/success', wrong), 404, 'not_a_message')
  expect(await phone('wrong')).toMatchObject({ last_success_on: null })
})

test('extension: a report with a phone name counts for that phone', async () => {
  await next('two-faced', 'modem')
  await next('another', 'modem', at.secondPhone)
  const { id } = await createDue(at.api)
  const headers = { 'x-phone-name': 'two-faced', 'content-type': 'application/json' }
  await at.secondPhone.call('PUT', `/message/${id}/success`, { headers, body: '{"parts":1}' })
  expect(await phone('two-faced')).toMatchObject({ last_success_on: expect.stringMatching(time) })
  expect(await phone('another')).toMatchObject({ last_success_on: null })
})

test('extension: DELETE /phone/<name> forgets it until its next request', async () => {
  await next('a/b %', 'modem')
  const path = `/phone/${encodeURIComponent('a/b %')}`
  const gone = parseBody<{ phone: Phone }>(await at.api.delete(path))
  expect(gone.phone).toMatchObject({ name: 'a/b %', driver: 'modem' })
  expect(await phone('a/b %')).toBeUndefined()
  expectError(await at.api.delete(path), 404, 'not_found', 'a/b %')
  await next('a/b %', 'modem')
  expect(await phone('a/b %')).toBeDefined()
})

test('extension: GET /phone has only phones of the own account', async () => {
  await next('mine', 'modem')
  expect((await phones(at.stranger)).map(each => each.name)).not.toContain('mine')
  expectError(await at.stranger.delete('/phone/mine'), 404, 'not_found')
  expect(await phone('mine')).toBeDefined()
})

test('extension: phones and statistics require a token with full scope', async () => {
  expect(await phones(at.person)).toEqual(await phones())
  for (const call of [
    at.phone.get('/phone'),
    at.phone.delete('/phone/unnamed'),
    at.phone.get('/statistics'),
    at.phone.get('/status'),
  ]) {
    expectError(await call, 403, 'insufficient_scope')
  }
})

test('extension: GET /status has no problem in a relay that works', async () => {
  expect(await at.api.get('/status')).toMatchObject({
    status: 200,
    body: { status: { problems: [] } },
  })
})

test('extension: GET /status reports the size of the delivery log', async () => {
  const { body } = await at.api.get('/status')
  expect(body).toHaveProperty('status.delivery_log', {
    ...{ bytes: expect.any(Number), max_bytes: expect.any(Number) },
    oldest_on: expect.toSatisfy(on => on === null || typeof on === 'string'),
  })
})

test('extension: GET /message/queue counts waiting, due and leased messages', async () => {
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
