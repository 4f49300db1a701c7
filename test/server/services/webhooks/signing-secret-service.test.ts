import { describe, expect, test } from 'vitest'
import {
  getSigningSecrets,
  SigningSecretService,
} from '../../../../src/server/services/webhooks/signing-secret-service.js'
import { hour, refusal, World } from '../world.js'

const shape = /^whsec_[A-Za-z0-9+/]{32}$/

async function open() {
  const world = await World.open()
  const account = await world.account({ hookSecret: 'whsec_first' })
  const secrets = new SigningSecretService(world.context)
  const signing = () => getSigningSecrets(world.store, account.id, world.time)
  return { world, account, secrets, signing }
}

describe('the secret of an account', () => {
  test('is the one from its creation', async () => {
    const { account, secrets } = await open()
    expect(await secrets.get(account)).toBe('whsec_first')
  })

  test('is created once for an account without one, and stays after a restart', async () => {
    const { world } = await open()
    const old = await world.account()
    const secrets = new SigningSecretService(world.context)
    const requests = [secrets.get(old), secrets.get(old), getSigningSecrets(world.store, old.id, 0)]
    const [first, second, signing] = await Promise.all(requests)
    expect(first).toMatch(shape)
    expect([second, signing]).toEqual([first, [first]])
    await world.restart()
    expect((await world.store.accounts.get(old.id))?.hookSecret).toBe(first)
  })

  test('is missing for a removed account', async () => {
    const { world, account, secrets, signing } = await open()
    await world.accounts.remove(account.email)
    expect(await refusal(secrets.get(account))).toMatchObject({ code: 'invalid_token' })
    expect(await refusal(secrets.rotate(account))).toMatchObject({ code: 'invalid_token' })
    expect(await signing()).toEqual([])
  })
})

describe('a replaced secret', () => {
  test('signs for 24 hours more, also after a restart', async () => {
    const { world, account, secrets, signing } = await open()
    const fresh = await secrets.rotate(account)
    expect(fresh).toMatch(shape)
    await world.restart()
    expect(await signing()).toEqual([fresh, 'whsec_first'])
    await world.advance(24 * hour - 1)
    expect(await signing()).toEqual([fresh, 'whsec_first'])
    await world.advance(1)
    expect(await signing()).toEqual([fresh])
  })

  test('can be replaced by administration, which ends no token', async () => {
    const { world, account, signing } = await open()
    const phone = await world.phone(account)
    const { hookSecret, ...others } = await world.accounts.rotateKeys(account.email, 'hook')
    expect(hookSecret).toMatch(shape)
    expect(others).toEqual({})
    expect(await signing()).toEqual([hookSecret, 'whsec_first'])
    expect(await world.store.tokens.get(phone)).toBeDefined()
    const stored = await world.store.accounts.get(account.id)
    expect(stored).toMatchObject({ secretKey: account.secretKey, appKey: account.appKey })
  })

  test('is replaced with all keys of an account', async () => {
    const { world, account, signing } = await open()
    const { hookSecret } = await world.accounts.rotateKeys(account.email, 'all')
    expect(await signing()).toEqual([hookSecret, 'whsec_first'])
  })
})
