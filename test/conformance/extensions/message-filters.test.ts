import { expect, test } from 'vitest'
import { createMessage, fail, freshNumber, messageIn } from '../acts.js'
import { expectError, json, useCallers } from '../calls.js'

const at = useCallers()
const phone = 'filter attic'

const find = (filter: object) =>
  at.api.get(`/message?filter=${encodeURIComponent(JSON.stringify({ filter: 'all', ...filter }))}`)

async function findIds(filter: object): Promise<string[]> {
  const { status, text, body } = await find(filter)
  expect(status, text).toBe(200)
  return body.messages.map(({ message }) => message.id)
}

test('extension: `to` finds the messages to a number, however it is written', async () => {
  const destination = freshNumber()
  const first = await createMessage(at.api, { destination })
  const second = await createMessage(at.api, { destination })
  const written = `${destination.slice(0, 5)} ${destination.slice(5)}`
  expect(await findIds({ to: written })).toEqual([second.id, first.id])
  expect(await findIds({ to: written, order: 'asc', count: 1 })).toEqual([first.id])
  expect(await findIds({ to: written, filter: 'sent' })).toEqual([])
})

test('extension: `links.next` goes on behind the last message that was found', async () => {
  const to = freshNumber()
  const made: string[] = []
  for (let n = 0; n < 3; n += 1) made.push((await createMessage(at.api, { destination: to })).id)
  const { body } = await find({ to, order: 'asc', count: 2 })
  expect(body.messages.map(({ message }) => message.id)).toEqual(made.slice(0, 2))
  const next = await at.api.get(new URL(body.links.next?.url ?? '').href.split('/api/1')[1] ?? '')
  expect(next.body.messages.map(({ message }) => message.id)).toEqual(made.slice(2))
  expect(next.body).not.toHaveProperty('links')
})

test('extension: `phone` and `reason` find messages by the last report', async () => {
  const { id } = await createMessage(at.api)
  await at.phone.call('PUT', `/message/${id}/failure`, {
    body: json({ error_message: 'No carrier on line 7' }).body,
    headers: { 'content-type': 'application/json', 'x-phone-name': phone },
  })
  expect(await findIds({ phone, filter: 'error' })).toEqual([id])
  expect(await findIds({ phone, reason: 'CARRIER on' })).toEqual([id])
  expect(await findIds({ phone, reason: 'busy' })).toEqual([])
  await fail(at.phone, id)
  expect(await findIds({ phone })).toEqual([])
})

test('extension: `since` and `until` find messages by their creation', async () => {
  const { id, created_on } = await createMessage(at.api)
  const later = '2090-01-01 00:00:00'
  expect(await findIds({ since: created_on, until: later, count: 100 })).toContain(id)
  expect(await findIds({ until: created_on, count: 100 })).not.toContain(id)
  expect(await findIds({ since: later })).toEqual([])
})

test.each([
  [{ to: 'nobody' }, '`to`'],
  [{ since: 'yesterday' }, 'since'],
  [{ until: '2026-13-01 00:00:00' }, 'until'],
  [{ phone: '' }, 'phone'],
  [{ reason: 7 }, 'reason'],
])('extension: the filter %j is invalid_parameter', async (filter, name) => {
  await messageIn(at.api, 'N')
  const reply = await find(filter)
  expectError(reply, 400, 'invalid_parameter')
  expect(reply.body.error_description).toContain(name)
})
