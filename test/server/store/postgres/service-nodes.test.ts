import { expect, test } from 'vitest'
import type { Account } from '../../../../src/domain/account/account.js'
import { AccountService } from '../../../../src/server/services/accounts/account-service.js'
import { toTokenId } from '../../../../src/server/services/accounts/session-token.js'
import { TokenService } from '../../../../src/server/services/accounts/token-service.js'
import { MailboxService } from '../../../../src/server/services/messages/mailbox-service.js'
import { MessageService } from '../../../../src/server/services/messages/message-service.js'
import { SecretUrlService } from '../../../../src/server/services/messages/secret-url-service.js'
import { PhoneService } from '../../../../src/server/services/phones/phone-service.js'
import type { Store } from '../../../../src/server/store/store.js'
import { createUuidGenerator } from '../../../../src/util/crypto/uuid-v7.js'
import { quickPasswords } from '../../../quick-relay.js'
import { FakeClock } from '../../../util/async/fake-clock.js'
import { createObservers } from '../../observers.js'
import { createPostgresDatabase } from './postgres-rig.js'

const hour = 3_600_000

function createNode(store: Store, clock: FakeClock) {
  const newId = createUuidGenerator(clock.now)
  const context = { ...createObservers(), store, clock, newId, passwordCost: quickPasswords }
  return {
    store,
    accounts: new AccountService(context),
    tokens: new TokenService(context, 8 * hour),
    mailboxes: new MailboxService(context, { domain: 'localhost', receiving: true }),
    secretUrls: new SecretUrlService(context, new MessageService(context)),
    phones: new PhoneService(context),
  }
}

/** Nodes on one database, with an account. */
async function openNodes(count = 2) {
  const clock = new FakeClock()
  const database = await createPostgresDatabase()
  const stores = await Promise.all(Array.from({ length: count }, () => database.open(clock)))
  const nodes = stores.map(store => createNode(store, clock))
  const owners = await Promise.all(nodes.map(node => node.accounts.createFirst({ email: 'o@h' })))
  const created = owners.filter(owner => owner !== undefined)
  const account = created[0]?.account as Account
  const [one, other] = nodes as [(typeof nodes)[0], (typeof nodes)[0]]
  return { clock, nodes, one, other, created, account }
}

test('of three nodes that find no account, one creates the owner', async () => {
  const { nodes, created, account } = await openNodes(3)
  expect(created).toHaveLength(1)
  for (const { accounts } of nodes) expect(await accounts.list()).toEqual([account])
})

test('the last use of a secret URL is given once, to requests on two nodes at once', async () => {
  const { one, other, account } = await openNodes()
  const text = { destinations: ['+12025550143', '+12025550144'], text: 'x' }
  const rate = { uses: 2, per: 'd' } as const
  const { secretUrl } = await one.secretUrls.create(account, { rate })
  await one.secretUrls.send(secretUrl, text)
  for (let round = 0; round < 25; round += 1) {
    const created = await one.secretUrls.create(account, { rate: { uses: 1, per: 'd' } })
    const uses = [one, other].map(node => node.secretUrls.send(created.secretUrl, text))
    const results = await Promise.allSettled(uses)
    const reasons = results.filter(each => each.status === 'rejected').map(each => each.reason.code)
    expect(reasons).toEqual(['too_many_requests'])
    expect((await other.store.secretUrls.get(created.secretUrl.id))?.uses?.count).toBe(1)
  }
  await other.secretUrls.send(secretUrl, text)
  const third = one.secretUrls.send(secretUrl, text)
  await expect(third).rejects.toMatchObject({ code: 'too_many_requests' })
})

test('a repeated use on two nodes at once gets one result, and counts once', async () => {
  const { one, other, account } = await openNodes()
  const text = { destinations: ['+12025550143', '+12025550144'], text: 'x' }
  for (let round = 0; round < 25; round += 1) {
    const { secretUrl } = await one.secretUrls.create(account, { rate: { uses: 1, per: 'd' } })
    const uses = [one, other, one].map(node => node.secretUrls.send(secretUrl, text, 'key'))
    const [first, ...others] = await Promise.all(uses)
    expect(first).toHaveLength(2)
    for (const each of others) expect(each).toEqual(first)
    expect(await other.secretUrls.send(secretUrl, text, 'key')).toEqual(first)
    expect((await other.store.secretUrls.get(secretUrl.id))?.uses?.count).toBe(1)
  }
})

test('a token is extended and revoked on all nodes', async () => {
  const { clock, one, other, account } = await openNodes()
  const { token } = await one.tokens.issue(account.secretKey, account.appKey)
  const isValid = async () => (await other.tokens.getEndTime(toTokenId(token))) !== undefined
  expect(await isValid()).toBe(true)
  clock.advance(7.9 * hour)
  await one.tokens.getCaller(toTokenId(token))
  await expect.poll(() => other.tokens.getEndTime(toTokenId(token))).toBe(clock.now() + 8 * hour)
  await one.tokens.revoke(token)
  await expect.poll(isValid).toBe(false)
})
