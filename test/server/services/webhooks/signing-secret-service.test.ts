import { describe, expect, test } from 'vitest'
import {
  getSigningSecrets,
  SigningSecretService,
} from '../../../../src/server/services/webhooks/signing-secret-service.js'
import {
  type SubscriptionDraft,
  SubscriptionService,
} from '../../../../src/server/services/webhooks/subscription-service.js'
import { hour, refusal, World } from '../world.js'

const shape = /^whsec_[A-Za-z0-9+/]{32}$/

async function open() {
  const world = await World.open()
  const account = await world.account({ hookSecret: 'whsec_first' })
  const secrets = new SigningSecretService(world.context, new SubscriptionService(world.context))
  const signing = () => getSigningSecrets(world.store, { account: account.id }, world.time)
  return { world, account, secrets, signing }
}

describe('the secret of an account', () => {
  test('signs its webhooks, and is the same for all who ask', async () => {
    const { account, secrets, signing } = await open()
    expect([await secrets.get(account), await signing()]).toEqual(['whsec_first', ['whsec_first']])
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

describe('the secret of a subscription', () => {
  async function openSubscription() {
    const opened = await open()
    const { world, account } = opened
    const draft: SubscriptionDraft = {
      ...{ event: 'message.create', url: 'http://h/', method: 'POST', post: false },
    }
    const { id } = await new SubscriptionService(world.context).create(account, draft)
    const listSigning = async () => {
      const subscription = await world.store.subscriptions.get(id)
      return subscription && (await getSigningSecrets(world.store, subscription, world.time))
    }
    return { ...opened, id, listSigning }
  }

  test('is that of the account until it has its own; that one signs for a day more', async () => {
    const { world, account, secrets, id, listSigning } = await openSubscription()
    const shared = { secret: 'whsec_first', own: false }
    expect(await secrets.getForSubscription(account, id)).toEqual(shared)
    const own = await secrets.rotateForSubscription(account, id)
    expect(own).toEqual({ secret: expect.stringMatching(shape), own: true })
    await world.restart()
    expect(await secrets.getForSubscription(account, id)).toEqual(own)
    expect(await listSigning()).toEqual([own.secret, 'whsec_first'])
    await world.advance(24 * hour)
    expect(await listSigning()).toEqual([own.secret])
  })

  test('is replaced as that of an account is', async () => {
    const { account, secrets, id, listSigning } = await openSubscription()
    const first = await secrets.rotateForSubscription(account, id)
    const second = await secrets.rotateForSubscription(account, id)
    expect(await listSigning()).toEqual([second.secret, first.secret, 'whsec_first'])
    await secrets.rotate(account)
    expect(await listSigning()).toEqual([second.secret, first.secret, 'whsec_first'])
  })

  test('signs for a day more after its removal, next to that of the account', async () => {
    const { world, account, secrets, id, listSigning } = await openSubscription()
    const own = await secrets.rotateForSubscription(account, id)
    const shared = { secret: 'whsec_first', own: false }
    expect(await secrets.removeForSubscription(account, id)).toEqual(shared)
    expect(await listSigning()).toContain(own.secret)
    expect((await listSigning())?.[0]).toBe('whsec_first')
    await world.advance(24 * hour)
    expect(await listSigning()).toEqual(['whsec_first'])
  })

  test('is an error for another account', async () => {
    const { world, secrets, id } = await openSubscription()
    const other = await world.account()
    const error = { code: 'not_a_subscription' }
    expect(await refusal(secrets.getForSubscription(other, id))).toMatchObject(error)
    expect(await refusal(secrets.rotateForSubscription(other, id))).toMatchObject(error)
    expect(await refusal(secrets.removeForSubscription(other, id))).toMatchObject(error)
  })
})
