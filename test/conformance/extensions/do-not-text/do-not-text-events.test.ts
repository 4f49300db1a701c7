import { expect, test } from 'vitest'
import { block, freshNumber, listenFor, subscribe } from '../../acts.js'
import { expectError, useCallers } from '../../calls.js'
import { openReceiver } from '../../receiver.js'

const at = useCallers()

const formatPath = (number: string) => `/do-not-text/${encodeURIComponent(number)}`

test('extension: GET /do-not-text/<number> returns the entry while it is listed', async () => {
  const number = freshNumber()
  await block(at.api, number)
  const reply = await at.api.get(formatPath(number))
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.entry).toMatchObject({ number, scope: 'account' })
  await at.api.delete(formatPath(number))
  expectError(await at.api.get(formatPath(number)), 404, 'not_found')
})

test('extension: number.blocked and number.unblocked have the number in the body', async () => {
  const blocked = await listenFor(at.api, 'number.blocked')
  const unblocked = await listenFor(at.api, 'number.unblocked')
  const number = freshNumber()
  await block(at.api, number)
  await block(at.api, number)
  await at.api.delete(formatPath(number))
  const other = freshNumber()
  await block(at.api, other)
  const ids = [(await blocked.next()).body, (await unblocked.next()).body]
  expect(ids.map(body => JSON.parse(body))).toEqual([
    { number: { id: number } },
    { number: { id: number } },
  ])
  expect(JSON.parse((await blocked.next()).body)).toEqual({ number: { id: other } })
  await at.api.delete(formatPath(other))
})

test('extension: without post, number.blocked has the number in the query, encoded', async () => {
  const receiver = await openReceiver()
  await subscribe(at.api, { event: 'number.blocked', url: `${receiver.url}/in` })
  const number = freshNumber()
  await block(at.api, number)
  const { target } = await receiver.next()
  expect(target).toBe(`/in?number%5Bid%5D=${encodeURIComponent(number)}`)
  await at.api.delete(formatPath(number))
})

test('extension: a text STOP and an import fire number.blocked once for each number', async () => {
  const listener = await listenFor(at.api, 'number.blocked')
  const [first, second, third] = [freshNumber(), freshNumber(), freshNumber()]
  await at.phone.post('/message/received', { from: first, message: 'Stop' })
  await at.phone.post('/message/received', { from: first, message: 'Stop' })
  const entries = [first, second, third].map(number => ({ number }))
  const headers = { 'content-type': 'application/json' }
  await at.api.call('POST', '/do-not-text/import', { body: JSON.stringify({ entries }), headers })
  const webhooks = [await listener.next(), await listener.next(), await listener.next()]
  const ids = webhooks.map(webhook => JSON.parse(webhook.body).number.id)
  expect(ids).toEqual([first, second, third])
})

test('extension: GET /event has numbers under number', async () => {
  const number = freshNumber()
  await block(at.api, number)
  const reply = await at.api.get('/event?after=-1&events=number.blocked')
  const [{ event }] = JSON.parse(reply.text).events
  expect(event).toMatchObject({ event: 'number.blocked', number: { id: number } })
  await at.api.delete(formatPath(number))
})
