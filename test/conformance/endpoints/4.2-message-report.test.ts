import { expect, test } from 'vitest'
import { createMessage, read } from '../acts.js'
import { expectClientError, expectError, form, json, multipart, useCallers } from '../calls.js'

const at = useCallers()

const missing = '01890000-0000-7000-8000-000000000000'

const encodings = [
  ['JSON', json],
  ['a form', (fields: object) => ({ body: form({ ...fields }) })],
  ['multipart', (fields: object) => ({ body: multipart({ ...fields }) })],
] as const

async function refusedReport(report: string, body: unknown, code: string, naming: string) {
  const made = await createMessage(at.api)
  expectError(await at.api.put(`/message/${made.id}/${report}`, body), 400, code, naming)
  expect(await read(at.api, made.id)).toEqual(made)
}

test.each(encodings)('4.2 a success report as %s returns the full message', async (_, encode) => {
  const { id } = await createMessage(at.api)
  const reply = await at.api.call('PUT', `/message/${id}/success`, encode({ parts: 1 }))
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.message).toEqual(await read(at.api, id))
  expect(reply.body.message.status).toBe('S')
  expect(reply.body.links).toHaveProperty('get')
})

test.each(encodings)('4.2 a failure report as %s returns the full message', async (_, encode) => {
  const { id } = await createMessage(at.api)
  const report = encode({ error_message: 'network unreachable' })
  const reply = await at.api.call('PUT', `/message/${id}/failure`, report)
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.message).toEqual(await read(at.api, id))
  expect(reply.body.message.status).toBe('E')
  expect(reply.body.links).toHaveProperty('failure')
})

test.each([1, 2, 11])('4.2 a success report accepts %i parts', async parts => {
  const { id } = await createMessage(at.api)
  const reply = await at.api.put(`/message/${id}/success`, { parts })
  expect(reply.body.message.status).toBe('S')
})

test('4.2 a success report without parts is invalid_request', async () => {
  await refusedReport('success', {}, 'invalid_request', 'parts')
  const made = await createMessage(at.api)
  const bare = await at.api.call('PUT', `/message/${made.id}/success`)
  expectError(bare, 400, 'invalid_request', 'parts')
  expect(await read(at.api, made.id)).toEqual(made)
})

test.each([0, -1, 1.5, 'x', '', true, [], {}, 1e300])(
  '4.2 a success report with parts %j is invalid_parameter',
  parts => refusedReport('success', { parts }, 'invalid_parameter', 'parts'),
)

test.each(['0', '-1', '1.5', 'x', '', 'Infinity'])(
  '4.2 a success report with the form field parts %j is invalid_parameter',
  async parts => {
    const made = await createMessage(at.api)
    const reply = await at.api.call('PUT', `/message/${made.id}/success`, { body: form({ parts }) })
    expectError(reply, 400, 'invalid_parameter', 'parts')
    expect(await read(at.api, made.id)).toEqual(made)
  },
)

test('4.2 a failure report without error_message is invalid_request', () =>
  refusedReport('failure', {}, 'invalid_request', 'error_message'))

test.each([5, true, [], {}])(
  '4.2 a failure report with error_message %j is invalid_parameter',
  value => refusedReport('failure', { error_message: value }, 'invalid_parameter', 'error_message'),
)

test.each([['success'], ['failure']])(
  '4.2 a %s report that is not a JSON object is rejected',
  async report => {
    const made = await createMessage(at.api)
    for (const body of [[], 'parts', 1]) {
      const reply = await at.api.put(`/message/${made.id}/${report}`, body)
      expect(reply.status, reply.text).toBe(400)
      expectClientError(reply)
    }
    expect(await read(at.api, made.id)).toEqual(made)
  },
)

test.each(['success', 'failure'])(
  '4.2 unknown members of a %s report are ignored',
  async report => {
    const { id } = await createMessage(at.api)
    const body = { parts: 1, error_message: 'no carrier', colour: 'red', status: 'N' }
    const reply = await at.api.put(`/message/${id}/${report}`, body)
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body.message.status).toBe(report === 'success' ? 'S' : 'E')
  },
)

test.each(['success', 'failure'])(
  '4.2 a %s report on an unknown message is not_a_message',
  async report => {
    const body = { parts: 1, error_message: 'no carrier' }
    expectError(await at.phone.put(`/message/${missing}/${report}`, body), 404, 'not_a_message')
  },
)
