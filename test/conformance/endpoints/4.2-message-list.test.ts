import { expect, test } from 'vitest'
import { block, createMessage, freshNumber, listedIds, listMessages, messageIn } from '../acts.js'
import { expectError, useCallers } from '../calls.js'

const at = useCallers()

test('4.2 filter members combine', async () => {
  const sent = [await messageIn(at.api, 'S'), await messageIn(at.api, 'S')]
  expect(await listedIds(at.api, { filter: 'sent', start: 1, count: 1 })).toEqual([sent[0]])
})

test('4.2 a list filter can have a parameter for each member', async () => {
  const filter = { filter: 'new', start: 1, count: 2, order: 'asc' }
  const written = 'filter%5Bfilter%5D=new&filter[start]=1&filter[count]=2&filter[order]=asc'
  const reply = await at.api.get(`/message?${written}`)
  expect(reply.body.messages).toEqual((await listMessages(at.api, filter)).body.messages)
})

test.each([
  ['count=10', 'invalid_parameter', 'count'],
  ['status=sent', 'invalid_parameter', 'status'],
  ['filter[status]=sent', 'invalid_parameter', 'order'],
  ['filter={"status":"sent"}', 'invalid_parameter', 'order'],
  ['filter[count]=ten', 'invalid_parameter', 'count'],
  ['filter[filter]=sent&filter={}', 'invalid_request', 'filter'],
  ['filter[filter]=sent&filter[filter]=new', 'invalid_request', 'filter[filter]'],
  ['filter={"filter":"sent","filter":"new"}', 'invalid_request', 'filter'],
  ['filter={}&filter={}', 'invalid_request', 'filter'],
  ['filter=%FF', 'invalid_request', 'UTF-8'],
])('4.2 the list %s is %s and names %s', async (query, code, naming) => {
  expectError(await at.api.get(`/message?${query}`), 400, code, naming)
})

test.each<[string, unknown]>([
  ['filter', 'sents'],
  ['filter', 'Normal'],
  ['filter', ''],
  ['filter', 'N'],
  ['filter', 1],
  ['filter', ['sent']],
  ['start', -1],
  ['start', 1.5],
  ['start', '0'],
  ['start', 'first'],
  ['start', []],
  ['count', 0],
  ['count', -1],
  ['count', 101],
  ['count', 2.5],
  ['count', '10'],
  ['count', {}],
  ['order', 'up'],
  ['order', 'DESC'],
  ['order', ''],
  ['order', true],
])('4.2 a list filter with %s %j is invalid_parameter', async (name, value) => {
  expectError(await listMessages(at.api, { [name]: value }), 400, 'invalid_parameter', name)
})

test.each(['{', 'sent', '[]', '5', '"sent"', 'null', '{"count":NaN}', '%7B', "{'count':5}"])(
  '4.2 the filter %s, not a JSON object, is invalid_parameter',
  async text => {
    const reply = await at.api.get(`/message?filter=${encodeURIComponent(text)}`)
    expectError(reply, 400, 'invalid_parameter', 'filter')
  },
)

test('4.2 the list filter blocked finds messages blocked later', async () => {
  const destination = freshNumber()
  const { id } = await createMessage(at.api, { destination })
  expect(await listedIds(at.api, { filter: 'blocked', count: 100 })).not.toContain(id)
  await block(at.api, destination)
  expect(await listedIds(at.api, { filter: 'blocked', count: 100 })).toContain(id)
})
