import { expect, test } from 'vitest'
import { createMessage, draft, freshNumber, freshText, listedIds, read } from '../acts.js'
import { expectClientError, expectError, type Fields, useCallers } from '../calls.js'

const at = useCallers()

const newest = () => listedIds(at.api, { filter: 'all', count: 100 })

async function refused(message: unknown, code: string, naming: string): Promise<void> {
  const before = await newest()
  expectError(await at.api.post('/message', { message }), 400, code, naming)
  expect(await newest()).toEqual(before)
}

function without(name: string): Fields {
  const { [name]: _left, ...rest } = draft()
  return rest
}

test('4.2 POST /message without the parameter message is invalid_request', async () => {
  expectError(await at.api.post('/message', {}), 400, 'invalid_request', 'message')
  const fields = { text: 'hi', destination: freshNumber() }
  expectError(await at.api.post('/message', fields), 400, 'invalid_request', 'message')
})

test.each(['destination', 'message'])('4.2 POST /message without %s is invalid_request', name =>
  refused(without(name), 'invalid_request', name),
)

test('4.2 POST /message with an empty object is invalid_request', () =>
  refused({}, 'invalid_request', 'destination'))

test.each(['', ' ', 'abc', '+', '+12', 'n/a', '5', 'alice@example.com', '+1646234567890123456'])(
  '4.2 POST /message with destination %j, which cannot be dialled, is invalid_parameter',
  destination => refused(draft({ destination }), 'invalid_parameter', 'destination'),
)

test.each<[string, unknown]>([
  ['destination', 16462345678],
  ['destination', ['+16462345678']],
  ['destination', {}],
  ['destination', true],
  ['message', 5],
  ['message', ['hi']],
  ['message', { text: 'hi' }],
  ['message', false],
  ['send_on', 1_900_000_000],
  ['send_on', {}],
  ['send_on', true],
])('4.2 POST /message with %s %j is invalid_parameter', (name, value) =>
  refused(draft({ [name]: value }), 'invalid_parameter', name),
)

test('4.2 POST /message with an empty text is invalid_parameter', () =>
  refused(draft({ message: '' }), 'invalid_parameter', 'message'))

test('4.2 POST /message accepts a text of 1,600 characters', async () => {
  const text = freshText().padEnd(1600, 'x')
  const { id } = await createMessage(at.api, { message: text })
  expect((await read(at.api, id)).message).toBe(text)
})

test('4.2 POST /message with a text of 1,601 characters is invalid_parameter', () =>
  refused(draft({ message: 'x'.repeat(1601) }), 'invalid_parameter', 'message'))

test.each([
  '2090-12-31 23:59:59',
  '2028-02-29 00:00:00',
  '2000-02-29 12:00:00',
  '2001-01-01 00:00:00',
])('4.2 POST /message stores send_on %s', async send_on => {
  const { id } = await createMessage(at.api, { send_on })
  expect((await read(at.api, id)).send_on).toBe(send_on)
  await at.api.delete(`/message/${id}`)
})

test.each([
  '',
  'tomorrow',
  '2090-02-30 10:00:00',
  '2090-04-31 10:00:00',
  '2027-02-29 10:00:00',
  '2100-02-29 10:00:00',
  '2090-13-01 10:00:00',
  '2090-00-10 10:00:00',
  '2090-01-00 10:00:00',
  '2090-01-01 24:00:00',
  '2090-01-01 10:60:00',
  '2090-01-01 10:00:60',
  '2090-01-01',
  '2090-01-01 10:00',
  '2090-1-1 1:00:00',
  '2090-01-01T10:00:00',
  '2090-01-01T10:00:00Z',
  '2090-01-01 10:00:00Z',
  '2090-01-01 10:00:00.5',
  '2090-01-01 10:00:00\n',
  ' 2090-01-01 10:00:00',
  '2090/01/01 10:00:00',
  '٢٠٩٠-01-01 10:00:00',
])('4.2 POST /message with send_on %j is invalid_parameter', send_on =>
  refused(draft({ send_on }), 'invalid_parameter', 'send_on'),
)

test('4.2 unknown members of the message object are ignored', async () => {
  const reply = await at.api.post('/message', { message: draft({ colour: 'red', __proto: 1 }) })
  expect(reply.status).toBe(200)
  expect(reply.body.message).not.toHaveProperty('colour')
})

test.each(['"hi"', '5', '[]', 'null', 'true', '{', 'hi', '{"destination":'])(
  '4.2 POST /message with the parameter %s, not a JSON object, is rejected',
  async text => {
    const before = await newest()
    const reply = await at.api.post('/message', { message: text })
    expect(reply.status).toBe(400)
    expectClientError(reply, 'message')
    expect(await newest()).toEqual(before)
  },
)
