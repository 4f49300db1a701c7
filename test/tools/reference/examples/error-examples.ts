import type { ApiErrorCode } from '../../../../src/contract/api/api-errors.js'
import type { ExampleRequest } from './example-request.js'

const headers = { 'X-Request-Id': 'example-1' }
const client = '192.0.2.7'
const unknownId = '01942c5e-2900-7000-8000-999999999999'

function createRejected(code: ApiErrorCode, request: ExampleRequest): ExampleRequest {
  return { ...request, headers: { ...headers, ...request.headers }, error: code }
}

/** Requests that the relay refuses, one for each error code; they change nothing. */
export const errorExamples: readonly ExampleRequest[] = [
  createRejected('invalid_parameter', {
    operation: 'createMessage',
    body: { message: { destination: '12', message: 'Your parcel arrives today.' } },
  }),
  createRejected('invalid_request', { operation: 'createMessage', body: {} }),
  createRejected('invalid_client', {
    operation: 'issueToken',
    headers: { Authorization: 'Basic <base64 of SECRET_KEY:WRONG_KEY>' },
  }),
  createRejected('invalid_token', {
    operation: 'getUser',
    headers: { Authorization: 'Bearer EXPIRED_TOKEN' },
  }),
  createRejected('insufficient_scope', {
    operation: 'nextMessage',
    headers: { Authorization: 'Bearer $API_TOKEN' },
  }),
  createRejected('not_a_message', { operation: 'getMessage', parameters: { id: unknownId } }),
  createRejected('not_a_subscription', {
    operation: 'getSubscription',
    parameters: { id: unknownId },
  }),
  createRejected('not_found', { operation: 'revokeSecretUrl', parameters: { id: unknownId } }),
  createRejected('invalid_state', {
    operation: 'editMessage',
    parameters: { id: '$second' },
    body: { message: { message: 'Your table is not free.' } },
  }),
  createRejected('precondition_failed', {
    operation: 'editMessage',
    parameters: { id: '$message' },
    headers: { 'If-Match': '"1"' },
    body: { message: { message: 'Your parcel arrives at 6 pm.' } },
  }),
  createRejected('unsupported_media_type', {
    operation: 'createMessage',
    headers: { 'Content-Type': 'text/xml' },
    body: { message: {} },
  }),
  {
    operation: 'createSecretUrl',
    body: { destination: ['+12025550143'], message: 'Ring', rate: '1/h' },
    hides: { LIMITED_ID: 'url.id', LIMITED_SECRET: 'url.url' },
    isStep: true,
  },
  { operation: 'useSecretUrl', parameters: { secret: '$LIMITED_SECRET' }, isStep: true },
  createRejected('too_many_requests', {
    operation: 'useSecretUrl',
    parameters: { secret: '$LIMITED_SECRET' },
  }),
  // The relay of the examples serves one request of a client at once.
  {
    operation: 'listEvents',
    headers: { Accept: 'text/event-stream' },
    client,
    isStream: true,
    isStep: true,
  },
  createRejected('unavailable', { operation: 'listMessages', client }),
]
