import { expect, test } from 'vitest'
import {
  type ErrorCode,
  errorCodes,
  RelayError,
  type RelayErrorOptions,
} from '../../../src/errors.js'
import { serve, startRelay } from './app-rig.js'

interface ErrorReply {
  status: number
  code: string
  sentence: string
  headers: Headers
  defects: unknown[]
}

/** Sends an error as a reply, and returns what a client sees of it. */
async function sendError(error: unknown): Promise<ErrorReply> {
  const { url, defects } = await serve(() => Promise.reject(error))
  const response = await fetch(url)
  const body = (await response.json()) as { error: string; error_description: string }
  expect(Object.keys(body)).toEqual(['error', 'error_description'])
  const { error: code, error_description: sentence } = body
  return { status: response.status, code, sentence, headers: response.headers, defects }
}

const statuses: Partial<Record<ErrorCode, number>> = {
  not_a_message: 404,
  not_a_subscription: 404,
  not_an_account: 404,
  not_found: 404,
  invalid_parameter: 400,
  invalid_request: 400,
  invalid_client: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  forbidden: 403,
  invalid_state: 409,
  precondition_failed: 412,
  method_not_allowed: 405,
  unsupported_media_type: 415,
  payload_too_large: 413,
  too_many_requests: 429,
  unavailable: 503,
}
const known = Object.entries(statuses) as [ErrorCode, number][]
const unknown = Object.keys(errorCodes).filter(code => !(code in statuses)) as ErrorCode[]

test.each(known)('%s is sent with status %i and not reported as a defect', async (code, status) => {
  const reply = await sendError(new RelayError(code, 'A sentence.'))
  expect(reply).toMatchObject({ status, code, sentence: 'A sentence.', defects: [] })
})

test.each(unknown)('%s is sent as internal_error and reported as a defect', async code => {
  const error = new RelayError(code, 'In /var/lib/smsrelay: hello +12025550143.', { hint: 'Look.' })
  const reply = await sendError(error)
  expect(reply).toMatchObject({ status: 500, code: 'internal_error', defects: [error] })
  expect(reply.sentence).not.toMatch(/hello|555|var|Look/)
})

test.each<[string, unknown]>([
  ['an error', new Error('the text hello to +12025550143 with srt_secret')],
  ['a type error', new TypeError("Cannot read properties of undefined (reading 'hello')")],
  ['an error with a status', Object.assign(new Error('hello'), { status: 418, statusCode: 418 })],
  ['an error with expose: true', Object.assign(new Error('hello'), { expose: true })],
  ['an error with a code', Object.assign(new Error('hello'), { code: 'invalid_request' })],
  ['a text', 'hello'],
  ['an object', { message: 'hello', code: 'not_found' }],
])('%s is sent as internal_error without details and reported as a defect', async (_, error) => {
  const reply = await sendError(error)
  expect(reply).toMatchObject({ status: 500, code: 'internal_error', defects: [error] })
  expect(reply.sentence).not.toMatch(/hello|555|srt_|undefined/)
})

test.each<[ErrorCode, RelayErrorOptions, string, string | null]>([
  ['invalid_client', {}, 'www-authenticate', 'Basic realm="smsrelay", charset="UTF-8"'],
  ['invalid_token', {}, 'www-authenticate', 'Bearer realm="smsrelay", error="invalid_token"'],
  ['insufficient_scope', {}, 'www-authenticate', null],
  ['unavailable', {}, 'retry-after', '5'],
  ['unavailable', { retryAfter: 30 }, 'retry-after', '30'],
  ['too_many_requests', { retryAfter: 0.2 }, 'retry-after', '1'],
  ['invalid_request', {}, 'retry-after', null],
])('%s with %j is sent with the field %s: %s', async (code, options, header, value) => {
  const { headers } = await sendError(new RelayError(code, 'A sentence.', options))
  expect(headers.get(header)).toBe(value)
})

test('a reply has the sentence and the hint of an error but not its cause', async () => {
  const cause = new Error('hello')
  const error = new RelayError('invalid_state', 'It is sent.', { hint: 'Make another.', cause })
  expect((await sendError(error)).sentence).toBe('It is sent. Make another.')
})

test('an error of the store reveals no message, token or path', async () => {
  const broken = new Error('cannot write hello to +12025550143 in /var/lib/smsrelay')
  const at = await startRelay(store => ({
    ...store,
    messages: new Proxy(store.messages, {
      get: (messages, name) =>
        name === 'change'
          ? () => Promise.reject(broken)
          : Reflect.get(messages, name).bind(messages),
    }),
  }))
  const draft = { destination: '+12025550143', message: 'hello' }
  const reply = await at.api.post('/message', { message: draft })
  expect(reply).toMatchObject({ status: 500, body: { error: 'internal_error' } })
  expect(reply.text).not.toMatch(/hello|555|var|srt_/)
  expect(at.defects).toEqual([broken])
  expect((await at.api.get('/message')).body.messages).toEqual([])
})

test.each([
  '/api/1/message/%',
  '/api/1/message/%zz',
  '/api/1/message/%ff',
  '/api/1/subscription/%C3',
])('the path %s is invalid_request and not reported as a defect', async path => {
  const at = await startRelay()
  const reply = await at.api.get(path.replace('/api/1', ''))
  expect(reply).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  expect(at.defects).toEqual([])
})
