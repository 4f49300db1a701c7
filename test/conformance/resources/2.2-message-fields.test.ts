import { expect, test } from 'vitest'
import { createMessage, failTimes, freshNumber, freshText, read, succeed } from '../acts.js'
import { request, useCallers } from '../calls.js'

const at = useCallers()

const DATE_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/

const millis = (utc: string): number => Date.parse(`${utc.replace(' ', 'T')}Z`)

/** The clock of the relay in whole seconds, from the field Date. */
async function serviceTime(): Promise<number> {
  const { headers } = await request(`${at.baseUrl}/api/1/message`, 'GET')
  return Date.parse(headers.get('date') ?? '')
}

async function nextSecond(): Promise<void> {
  const start = await serviceTime()
  await expect.poll(serviceTime).toBeGreaterThan(start)
}

test('2.2 id is a UUID of version 7, different for each message', async () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  const [first, second] = [await createMessage(at.api), await createMessage(at.api)]
  expect(first.id).toMatch(uuid)
  expect(second.id).toMatch(uuid)
  expect(first.id).not.toBe(second.id)
})

test('2.2 created_on is the current time in UTC', async () => {
  const before = await serviceTime()
  const { created_on } = await createMessage(at.api)
  const after = await serviceTime()
  expect(millis(created_on)).toBeGreaterThanOrEqual(before)
  expect(millis(created_on)).toBeLessThanOrEqual(after)
})

test('2.2 send_on defaults to created_on', async () => {
  const message = { destination: freshNumber(), message: freshText() }
  const { body } = await at.api.post('/message', { message })
  expect(body.message.send_on).toMatch(DATE_TIME)
  expect(body.message.send_on).toBe(body.message.created_on)
  await at.api.delete(`/message/${body.message.id}`)
})

test('2.2 status_date is first the time of creation', async () => {
  const { created_on, status_date } = await createMessage(at.api)
  expect(status_date).toBe(created_on)
})

test('2.2 status_date changes only when the letter changes', async () => {
  const made = await createMessage(at.api)
  await nextSecond()
  await at.api.patch(`/message/${made.id}`, { message: { message: freshText() } })
  expect((await read(at.api, made.id)).status_date).toBe(made.status_date)
  await failTimes(at.api, made.id, 1)
  const failed = await read(at.api, made.id)
  expect(millis(failed.status_date)).toBeGreaterThan(millis(made.status_date))
  await nextSecond()
  await failTimes(at.api, made.id, 1)
  expect(await read(at.api, made.id)).toMatchObject({
    status: 'E',
    failure_count: 2,
    status_date: failed.status_date,
  })
  await succeed(at.api, made.id)
  const sent = await read(at.api, made.id)
  expect(millis(sent.status_date)).toBeGreaterThan(millis(failed.status_date))
})

test.each([
  '+12125551212',
  '(646) 234-5678',
  '+1 646 234 5678',
  '+44 20 7946 0958',
  '5551212',
  '72345',
])('2.2 the destination %s is stored as given', async destination => {
  const { id } = await createMessage(at.api, { destination })
  expect((await read(at.api, id)).destination).toBe(destination)
})

test.each([
  'a',
  '0',
  ' hello ',
  'two\nlines',
  'Grüße, 你好, 👋🏽',
  '<b>&amp;</b>',
  '"{}"',
  'a+b=c&d%20',
])('2.2 the text %j is stored as given', async text => {
  const { id } = await createMessage(at.api, { message: text })
  expect((await read(at.api, id)).message).toBe(text)
})
