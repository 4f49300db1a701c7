import { expect, test } from 'vitest'
import { createDue, createMessage, drain } from '../acts.js'
import type { Caller, Reply } from '../calls.js'
import { type Phone, type Queue, usePhones } from './extension-rigs.js'

const { at, time, parseBody, phones, phone, queue, next } = usePhones()

function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
}

/** Reports the presence of a phone with GET /message/queue, maybe with quiet hours. */
async function reportPresence(
  name: string,
  until?: string,
  caller: Caller = at.phone,
): Promise<Reply> {
  const rest: Record<string, string> = until === undefined ? {} : { 'x-phone-quiet-until': until }
  const headers = { 'x-phone-name': name, 'x-phone-driver': 'modem', ...rest }
  const reply = await caller.call('GET', '/message/queue', { headers })
  expect(parseBody<{ queue: Queue }>(reply).queue.counted_on).toMatch(time)
  return reply
}

test('extension: GET /message/queue reports quiet hours but is not a NEXT', async () => {
  const until = inSeconds(3600)
  await reportPresence('sleepy', until)
  expect(await phone('sleepy')).toEqual({
    ...{ name: 'sleepy', driver: 'modem', silent: false },
    ...{ first_next_on: null, last_next_on: null, last_success_on: null, last_failure_on: null },
    ...{ last_seen_on: expect.stringMatching(time), quiet_until: until, last_quiet_on: null },
    ...{ signal: null, operator: null, rate: null, network_on: null },
  })
})

test('extension: GET /message/queue reports the network of a phone', async () => {
  const report = async (fields: Readonly<Record<string, string>>) => {
    const headers = { 'x-phone-name': 'roamer', 'x-phone-driver': 'modem', ...fields }
    await at.phone.call('GET', '/message/queue', { headers })
    return await phone('roamer')
  }
  const known = await report({
    'x-phone-signal': '-71 dBm',
    'x-phone-operator': encodeURIComponent('Übertel'),
    'x-phone-rate': '30/min, 500/d',
  })
  const network = { signal: '-71 dBm', operator: 'Übertel', rate: '30/min, 500/d' }
  expect(known).toMatchObject({ ...network, network_on: expect.stringMatching(time) })
  const invalid = { 'x-phone-signal': 'good', 'x-phone-operator': '%zz' }
  expect(await report(invalid)).toMatchObject(network)
  expect(await report({ 'x-phone-signal': '60 %' })).toMatchObject({
    ...{ signal: '60 %', operator: null, rate: null },
  })
})

test('extension: reporting presence neither claims nor releases a message', async () => {
  await drain(at.phone)
  const { id } = await createDue(at.api)
  expect((await next('keeper')).body.message.id).toBe(id)
  const other = await createDue(at.api)
  const before = await queue()
  await reportPresence('keeper', inSeconds(3600))
  expect(await queue()).toMatchObject({ due: before.due, leased: before.leased })
  expect((await next('keeper')).body.message.id).toBe(id)
  expect((await at.phone.put(`/message/${id}/success`, { parts: 1 })).status).toBe(200)
  expect((await next('keeper')).body.message.id).toBe(other.id)
  await at.phone.put(`/message/${other.id}/success`, { parts: 1 })
})

test('extension: NEXT ends the quiet hours of a phone', async () => {
  await drain(at.phone)
  await reportPresence('early riser', inSeconds(3600))
  await next('early riser')
  const known = await phone('early riser')
  expect(known).toMatchObject({ quiet_until: null, last_quiet_on: expect.stringMatching(time) })
  expect(known?.last_quiet_on).toBe(known?.first_next_on)
})

test('extension: a report does not end the quiet hours', async () => {
  await drain(at.phone)
  const { id } = await createDue(at.api)
  await next('reporter')
  const until = inSeconds(3600)
  await reportPresence('reporter', until)
  const headers = { 'x-phone-name': 'reporter', 'content-type': 'application/json' }
  await at.phone.call('PUT', `/message/${id}/success`, { headers, body: '{"parts":1}' })
  const when = expect.stringMatching(time)
  expect(await phone('reporter')).toMatchObject({ last_success_on: when, quiet_until: until })
})

test.each(['soon', '2999-01-01', '2999-02-30 00:00:00', '2999-01-01T00:00:00Z'])(
  'extension: X-Phone-Quiet-Until: %s is ignored',
  async until => {
    await reportPresence('unclear', inSeconds(3600))
    await reportPresence('unclear', until)
    expect(await phone('unclear')).toMatchObject({ quiet_until: null, silent: false })
  },
)

test('extension: quiet hours that have ended are ignored', async () => {
  const until = inSeconds(-60)
  await reportPresence('punctual', until)
  expect(await phone('punctual')).toMatchObject({ quiet_until: null, last_quiet_on: until })
})

test('extension: quiet hours last at most seven days', async () => {
  await reportPresence('hermit', '2999-01-01 00:00:00')
  const { quiet_until: until } = (await phone('hermit')) ?? {}
  expect(until).toMatch(time)
  expect(`${until}` > inSeconds(6.9 * 86_400) && `${until}` < inSeconds(7.1 * 86_400)).toBe(true)
})

test('extension: GET /message/queue is presence only with name and application key', async () => {
  const before = await phones()
  await queue(at.phone)
  await reportPresence('', undefined)
  await reportPresence('no phone', inSeconds(3600), at.api)
  await reportPresence('no phone', inSeconds(3600), at.person)
  expect((await phones()).map(({ name }) => name)).toEqual(before.map(({ name }) => name))
  const unnamed = (all: Phone[]) => all.find(each => each.name === 'unnamed')
  expect(unnamed(await phones())).toEqual(unnamed(before))
})

test('extension: GET /message/queue accepts any token of the account', async () => {
  const depth = ({ counted_on: _, ...rest }: Queue) => rest
  const own = depth(await queue())
  expect(depth(await queue(at.phone))).toEqual(own)
  expect(depth(await queue(at.person))).toEqual(own)
  await createMessage(at.api, { send_on: '2999-01-01 00:00:00' })
  expect(depth(await queue(at.stranger))).toMatchObject({ waiting: 0 })
})
