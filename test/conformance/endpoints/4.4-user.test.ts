import { expect, test } from 'vitest'
import { expectError, useCallers } from '../calls.js'

const at = useCallers()

test('4.4 GET /user returns only the e-mail', async () => {
  const reply = await at.api.get('/user')
  expect(reply.status).toBe(200)
  expect(reply.body.user).toEqual({ email: at.owner.email })
  expect(reply.text).not.toContain(at.owner.secret_key)
  expect(reply.text).not.toContain(at.owner.app_key)
})

test('4.4 GET /user/app with a User Login token returns both keys', async () => {
  const reply = await at.person.get('/user/app')
  expect(reply.status).toBe(200)
  expect(reply.body.user).toEqual({
    app_key: at.owner.app_key,
    secret_key: at.owner.secret_key,
  })
})

test.each(['api', 'phone'] as const)('4.4 GET /user/app with a token of %s is 403', async who => {
  const reply = await at[who].get('/user/app')
  expectError(reply, 403, 'insufficient_scope')
  expect(reply.text).not.toContain(at.owner.app_key)
})
