import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Operation } from '../../../src/contract/api/define-operation.js'
import { operations, publicOperations } from '../../../src/contract/api/operations.js'
import { type Extras, form, json, multipart, request } from '../../conformance/calls.js'
import { openRelay, type Running } from '../http/app-rig.js'

let at: Running
let close: () => Promise<void>

beforeAll(async () => {
  const opened = await openRelay()
  at = opened.at
  close = opened.close
})
afterAll(async () => await close())

const all = Object.entries<Operation>({ ...publicOperations, ...operations })
const withToken = Object.entries<Operation>(operations)

async function send({ method, path }: Operation, extras: Extras = {}, query = '') {
  const target = path.replace(/:sequence/, '1').replace(/:number/, '%2B12025550123')
  return await request(
    `${at.relay.url}${target.replace(/:\w+/, 'unknown')}${query}`,
    method,
    extras,
  )
}

function authorize(token: string, extras: Extras = {}): Extras {
  return { ...extras, headers: { authorization: `Bearer ${token}`, ...extras.headers } }
}

test('each method and path belongs to one operation', () => {
  const routes = all.map(([, { method, path }]) => `${method} ${path}`)
  expect(new Set(routes).size).toBe(routes.length)
})

test.each(withToken)('%s without a token is invalid_token', async (_, operation) => {
  const { status, body } = await send(operation)
  expect([status, body.error]).toEqual([401, 'invalid_token'])
  expect(operation.errors).toContain('invalid_token')
})

test.each(withToken)('%s accepts the tokens of its scope', async (_, operation) => {
  const isRejected = async (token: string): Promise<boolean> => {
    const { status, body } = await send(operation, authorize(token))
    return status === 403 && body.error === 'insufficient_scope'
  }
  const scopes = { any: [], full: ['app'], app: ['api'], login: ['app', 'api'], none: [] }
  const rejected = [
    ...((await isRejected(at.phone.token)) ? ['app'] : []),
    ...((await isRejected(at.api.token)) ? ['api'] : []),
  ]
  expect(rejected).toEqual(scopes[operation.scope])
  expect(operation.errors.includes('insufficient_scope')).toBe(rejected.length > 0)
})

test.each(all)('%s gives no error that the table does not list', async (_, operation) => {
  const token = operation.scope === 'app' ? at.phone.token : at.api.token
  const bodies: Extras[] = [
    {},
    json([]),
    json({ message: {}, event: 1, parts: 'x', from: 0, entries: 0, retry_after: 'x' }),
    { body: form({ message: '{', url: 'ftp://h', sequence: 'x' }) },
    { body: multipart({ number: '', name: 'x'.repeat(1000) }) },
    { headers: { 'content-type': 'text/plain' }, body: 'x' },
    { headers: { 'content-type': 'application/json' }, body: 'x'.repeat(300_000) },
  ]
  const queries = ['', '?filter=x&count=x&after=x&extended=x&utc_offset=x&token=']
  const hasBody = !['GET', 'HEAD'].includes(operation.method)
  for (const query of queries) {
    for (const body of hasBody ? bodies : [{}]) {
      const reply = await send(operation, authorize(token, body), query)
      if (reply.status === 200) continue
      expect([...operation.errors, 'unavailable'], reply.text).toContain(reply.body.error)
    }
  }
})
