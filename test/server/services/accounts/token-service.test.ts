import { describe, expect, test } from 'vitest'
import type { KeyKind } from '../../../../src/server/services/accounts/new-keys.js'
import { toTokenId } from '../../../../src/server/services/accounts/session-token.js'
import { TokenService } from '../../../../src/server/services/accounts/token-service.js'
import { defaultPasswordCost, hashPassword } from '../../../../src/util/crypto/password-hash.js'
import { hashText } from '../../../../src/util/crypto/secrets.js'
import { measureProcessorTime } from '../../../processor-time.js'
import { quickPasswords } from '../../../quick-relay.js'
import { lifetime, refusal, second, World } from '../world.js'

const [email, password] = ['ann@example.com', 'correct horse']
const passwordHash = await hashPassword(password, quickPasswords)
const apiKey = 'sra_of_ann'

async function open() {
  const world = await World.open()
  const account = await world.account({ email, passwordHash, apiKeyHash: hashText(apiKey) })
  const { secretKey, appKey } = account
  const issue = {
    api: async () => (await world.tokens.issue(secretKey, apiKey)).token,
    app: async () => (await world.tokens.issue(secretKey, appKey)).token,
    login: async () => (await world.tokens.issue(email, password)).token,
  }
  const alive = async (token: string) =>
    await world.tokens.getCaller(toTokenId(token)).then(
      () => true,
      () => false,
    )
  return { world, account, secretKey, appKey, issue, alive }
}

describe('a token', () => {
  test('is valid for its lifetime, to the millisecond', async () => {
    const { world, issue, alive } = await open()
    const [unused, used] = [await issue.api(), await issue.api()]
    await world.advance(lifetime - 1)
    expect(await alive(used)).toBe(true)
    await world.advance(1)
    expect(await refusal(world.tokens.getCaller(toTokenId(unused)))).toMatchObject({
      code: 'invalid_token',
    })
    expect(await alive(used)).toBe(true)
  })

  test('is valid for another lifetime after each use', async () => {
    const { world, issue, alive } = await open()
    const token = await issue.api()
    for (let use = 0; use < 20; use += 1) {
      await world.advance(lifetime - 1)
      expect([use, await alive(token)]).toEqual([use, true])
    }
    await world.advance(lifetime)
    expect(await alive(token)).toBe(false)
    expect(await alive(token)).toBe(false)
  })

  test('loses at most a sixteenth of its lifetime by a restart', async () => {
    const { world, issue, alive } = await open()
    const [early, late] = [await issue.api(), await issue.api()]
    for (let use = 0; use < 100; use += 1) {
      await world.advance(lifetime / 50 + second)
      await world.tokens.getCaller(toTokenId(early))
      await world.tokens.getCaller(toTokenId(late))
    }
    await world.restart()
    await world.advance(lifetime - lifetime / 16)
    expect(await alive(early)).toBe(true)
    await world.advance(lifetime)
    expect(await alive(late)).toBe(false)
  })

  test('stays revoked by a concurrent request with it', async () => {
    const { world, issue, alive } = await open()
    const token = await issue.api()
    await world.advance(lifetime / 2)
    await Promise.all([world.tokens.getCaller(toTokenId(token)), world.tokens.revoke(token)])
    expect(await alive(token)).toBe(false)
    await world.restart()
    expect(await alive(token)).toBe(false)
  })

  test('is stored only as a hash', async () => {
    const { world, issue } = await open()
    const token = await issue.api()
    const { holder } = await world.tokens.getCaller(toTokenId(token))
    expect(JSON.stringify(await world.store.tokens.get(holder))).not.toContain(token)
  })
})

test('expired tokens are removed from the store, those with a late use a bit later', async () => {
  const { world, issue, alive } = await open()
  const [expired, used, fresh] = [await issue.api(), await issue.api(), await issue.app()]
  const holders: string[] = []
  for (const token of [expired, used, fresh]) {
    holders.push((await world.tokens.getCaller(toTokenId(token))).holder)
  }
  // Used so early that its new expiry is not stored.
  await world.advance(lifetime / 17)
  await world.tokens.getCaller(toTokenId(used))
  await world.tokens.getCaller(toTokenId(fresh))
  await world.advance(lifetime - lifetime / 17 + second)
  await world.tokens.getCaller(toTokenId(fresh))
  await world.tokens.removeExpired()
  expect([await alive(used), await alive(fresh)]).toEqual([true, true])
  await world.advance(lifetime / 16)
  await world.tokens.removeExpired()
  const unused = await Promise.all(holders.map(holder => world.store.tokens.get(holder)))
  expect(unused.map(token => token !== undefined)).toEqual([false, true, true])
  await world.advance(3 * lifetime)
  await world.tokens.removeExpired()
  expect(await world.store.tokens.get(holders[2] ?? '')).toBeUndefined()
})

describe('a change of credentials ends their tokens', () => {
  const kinds = ['api', 'app', 'login'] as const

  test.each<[KeyKind, string[]]>([
    ['secret', ['login']],
    ['api', ['app', 'login']],
    ['app', ['api', 'login']],
    ['hook', ['api', 'app', 'login']],
    ['all', ['login']],
  ])('rotating %s leaves %j', async (which, left) => {
    const { world, issue, alive } = await open()
    const tokens = await Promise.all(kinds.map(kind => issue[kind]()))
    await world.accounts.rotateKeys(email, which)
    const states = await Promise.all(tokens.map(alive))
    expect(kinds.filter((_, n) => states[n])).toEqual(left)
  })

  test.each<[KeyKind, string[]]>([
    ['secret', []],
    ['api', ['app']],
    ['app', ['api']],
    ['hook', ['api', 'app']],
    ['all', []],
  ])('after rotating %s the old keys can issue %j', async (which, left) => {
    const { world, issue } = await open()
    await world.accounts.rotateKeys(email, which)
    const issued: string[] = []
    for (const kind of ['api', 'app'] as const) {
      await issue[kind]().then(
        () => issued.push(kind),
        error => expect(error.code).toBe('invalid_client'),
      )
    }
    expect(issued).toEqual(left)
  })

  test('rotated keys issue tokens', async () => {
    const { world } = await open()
    const keys = await world.accounts.rotateKeys(email, 'all')
    const { kind } = await world.tokens.issue(keys.secretKey ?? '', keys.apiKey ?? '')
    expect(kind).toBe('api')
    expect((await world.tokens.issue(keys.secretKey ?? '', keys.appKey ?? '')).kind).toBe('app')
  })

  test('a new password ends only logins', async () => {
    const { world, issue, alive } = await open()
    const tokens = await Promise.all(kinds.map(kind => issue[kind]()))
    await world.accounts.setPassword(email, 'battery staple')
    expect(await Promise.all(tokens.map(alive))).toEqual([true, true, false])
    expect(await refusal(issue.login())).toMatchObject({ code: 'invalid_client' })
    expect((await world.tokens.issue(email, 'battery staple')).kind).toBe('login')
  })

  test('a login with the old password during its change fails', async () => {
    const { world, account, issue } = await open()
    const change = async (hash: string) =>
      await world.store.accounts.change(account.id, unused => ({ ...unused, passwordHash: hash }))
    await change(await hashPassword(password))
    const login = refusal(issue.login())
    await change('another')
    expect(await login).toMatchObject({ code: 'invalid_client' })
  })

  test('removing the account ends all tokens', async () => {
    const { world, issue, alive } = await open()
    const tokens = await Promise.all(kinds.map(kind => issue[kind]()))
    await world.accounts.remove(email)
    expect(await Promise.all(tokens.map(alive))).toEqual([false, false, false])
  })
})

test('an unknown address takes as long as a wrong password', async () => {
  const { world } = await open()
  const tokens = new TokenService({ ...world.context, passwordCost: defaultPasswordCost }, lifetime)
  await world.account({ email: 'bob@example.com', passwordHash: await hashPassword(password) })
  const measure = async (user: string): Promise<number> =>
    await measureProcessorTime(async () =>
      expect(await refusal(tokens.issue(user, 'wrong'))).toMatchObject({ code: 'invalid_client' }),
    )
  const known = await measure('bob@example.com')
  expect(await measure('nobody@example.com')).toBeGreaterThan(known / 4)
})
