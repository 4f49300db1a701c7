import { expect, test } from 'vitest'
import { createMessage, freshText, read } from '../acts.js'
import { expectError, json, multipart, useCallers } from '../calls.js'

const at = useCallers()

const missing = '01890000-0000-7000-8000-000000000000'

async function refusedEdit(message: unknown, code: string, naming: string): Promise<void> {
  const made = await createMessage(at.api)
  expectError(await at.api.patch(`/message/${made.id}`, { message }), 400, code, naming)
  expect(await read(at.api, made.id)).toEqual(made)
}

test.each([missing, 'nonsense', '0', '%00', '%F0%9F%91%8B', 'x'.repeat(500)])(
  '4.2 GET /message/<id> with the wrong id %s is not_a_message',
  async id => {
    expectError(await at.api.get(`/message/${id}`), 404, 'not_a_message')
  },
)

test('4.2 PATCH accepts its parameter as JSON and as multipart', async () => {
  const { id } = await createMessage(at.api)
  const [first, second] = [freshText(), freshText()]
  await at.api.call('PATCH', `/message/${id}`, json({ message: { message: first } }))
  expect((await read(at.api, id)).message).toBe(first)
  const body = multipart({ message: { message: second } })
  await at.api.call('PATCH', `/message/${id}`, { body })
  expect((await read(at.api, id)).message).toBe(second)
})

test('4.2 PATCH with none of the fields is invalid_request', () =>
  refusedEdit({}, 'invalid_request', ''))

test('4.2 PATCH with only fields that cannot be edited is invalid_request', () =>
  refusedEdit(
    { status: 'S', failure_count: 2, created_on: '2001-01-01 00:00:00' },
    'invalid_request',
    '',
  ))

test('4.2 PATCH without the parameter message is invalid_request', async () => {
  const made = await createMessage(at.api)
  expectError(await at.api.patch(`/message/${made.id}`, {}), 400, 'invalid_request', 'message')
  expect(await read(at.api, made.id)).toEqual(made)
})

test.each<[string, unknown]>([
  ['destination', 'abc'],
  ['destination', ''],
  ['destination', '+12'],
  ['destination', 5],
  ['message', ''],
  ['message', 'x'.repeat(1601)],
  ['message', []],
  ['send_on', '2090-02-30 00:00:00'],
  ['send_on', 'now'],
  ['send_on', 7],
])('4.2 PATCH with %s %j is invalid_parameter', (name, value) =>
  refusedEdit({ [name]: value }, 'invalid_parameter', name),
)

test('4.2 PATCH of a message that does not exist is not_a_message', async () => {
  const edit = { message: { message: 'hi' } }
  expectError(await at.api.patch(`/message/${missing}`, edit), 404, 'not_a_message')
})
