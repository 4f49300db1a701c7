import { expect, onTestFinished, test } from 'vitest'
import type { Relay } from '../../../src/index.js'
import { type Caller, expectError, json, request, signInCaller } from '../../conformance/calls.js'
import { createRelay } from '../../quick-relay.js'
import { temporaryFolder } from '../../temporary-folder.js'

const password = 'a long password'
const bob = 'bob@example.com'

async function start() {
  const dataDir = await temporaryFolder()
  const relay = await createRelay({ dataDir, port: 0 })
  onTestFinished(async () => await relay.stop())
  await relay.start()
  const draft = { email: 'ann@example.com', password }
  const account = await relay.administration.createAccount(draft)
  const login = await signInCaller(relay.url, account.email, password)
  const api = await signInCaller(relay.url, account.secret_key, account.api_key)
  return { relay, account, login, api }
}

/** Invites somebody with the API, who then accepts. */
async function addPerson({ url }: Relay, login: Caller, email: string, role: string) {
  const invited = await login.call('POST', '/invitation', json({ email, role }))
  expect(invited.status, invited.text).toBe(200)
  const { invitation } = invited.body as unknown as { invitation: { url: string } }
  const fields = { new_password: password, repeated: password }
  const accepted = await request(invitation.url, 'POST', { body: new URLSearchParams(fields) })
  expect(accepted.status, accepted.text).toBe(303)
  return await signInCaller(url, email, password)
}

type Person = { id: string; email: string; role: string }

async function listPeople(caller: Caller): Promise<Person[]> {
  const { body } = await caller.get('/person')
  return (body as unknown as { people: { person: Person }[] }).people.map(each => each.person)
}

test('people are invited, get roles and are removed', async () => {
  const { relay, login, api } = await start()
  const person = await addPerson(relay, login, bob, 'reader')
  const [found] = await listPeople(api)
  expect(found).toMatchObject({ email: bob, role: 'reader', second_factor: false })
  const path = `/person/${found?.id}`
  const message = { message: { destination: '+12025550143', message: 'Hello' } }
  expectError(await person.call('POST', '/message', json(message)), 403, 'forbidden')
  expect((await login.call('PATCH', path, json({ role: 'sender' }))).status).toBe(200)
  expect((await person.call('POST', '/message', json(message))).status).toBe(200)
  expect((await login.delete(path)).status).toBe(200)
  expectError(await person.get('/user'), 401, 'invalid_token')
  expectError(await login.delete(path), 404, 'not_found')
  expect(await listPeople(api)).toEqual([])
})

test('people and invitations of another account do not exist', async () => {
  const { relay, login } = await start()
  await addPerson(relay, login, bob, 'reader')
  const [found] = await listPeople(login)
  await relay.administration.createAccount({ email: 'eve@example.com', password })
  const eve = await signInCaller(relay.url, 'eve@example.com', password)
  expectError(
    await eve.call('PATCH', `/person/${found?.id}`, json({ role: 'admin' })),
    404,
    'not_found',
  )
  expectError(await eve.delete(`/person/${found?.id}/second-factor`), 404, 'not_found')
  expectError(await eve.delete(`/person/${found?.id}`), 404, 'not_found')
  const invited = await login.call(
    'POST',
    '/invitation',
    json({ email: 'x@example.com', role: 'reader' }),
  )
  const { id } = (invited.body as unknown as { invitation: { id: string } }).invitation
  expectError(await eve.delete(`/invitation/${id}`), 404, 'not_found')
  expect((await login.delete(`/invitation/${id}`)).status).toBe(200)
})

test('the owner limits an account, which sees its limits and gets 429 beyond them', async () => {
  const { relay, account, api } = await start()
  const other = await relay.administration.createAccount({ email: 'Eve+1@example.com', password })
  const eve = await signInCaller(relay.url, other.secret_key, other.api_key)
  const path = `/account/${encodeURIComponent(other.email)}/limits`
  const changed = await api.call('PATCH', path, json({ messages_per_hour: 1, secret_urls: 0 }))
  expect(changed.status, changed.text).toBe(200)
  const message = { message: { destination: '+12025550143', message: 'Hello' } }
  expect((await eve.call('POST', '/message', json(message))).status).toBe(200)
  const refused = await eve.call('POST', '/message', json(message))
  expectError(refused, 429, 'too_many_requests')
  expect(refused.headers.get('retry-after')).toBe('3600')
  expectError(await eve.call('POST', '/url', json({})), 409, 'invalid_state')
  expect((await eve.get('/user/limits')).body).toMatchObject({
    limits: { messages_per_hour: { max: 1, used: 1 }, messages_per_day: { max: null, used: 1 } },
  })
  expectError(await eve.call('PATCH', path, json({ messages_per_hour: 9 })), 403, 'forbidden')
  expectError(await eve.get(`/account/${account.email}/limits`), 403, 'forbidden')
  expectError(await api.call('PATCH', path, json({})), 400, 'invalid_request')
  expectError(await api.call('PATCH', path, json({ secret_urls: -1 })), 400, 'invalid_parameter')
  const form = { body: new URLSearchParams({ messages_per_hour: '' }) }
  expect((await api.call('PATCH', path, form)).body).toMatchObject({
    limits: { messages_per_hour: { max: null } },
  })
  expect((await eve.call('POST', '/message', json(message))).status).toBe(200)
  expectError(await api.get('/account/nobody@example.com/limits'), 404, 'not_an_account')
})
