import { describe, expect, test } from 'vitest'
import { createAddressPolicy } from '../../../../src/net/address-policy.js'
import {
  type SubscriptionDraft,
  SubscriptionService,
} from '../../../../src/server/services/webhooks/subscription-service.js'
import { refusal, World } from '../world.js'

const draft: Omit<SubscriptionDraft, 'url'> = {
  event: 'message.create',
  method: 'POST',
  post: false,
}

async function open(options: Parameters<typeof createAddressPolicy>[0] = {}) {
  const world = await World.open()
  const account = await world.account()
  const policy = createAddressPolicy(options)
  const subscriptions = new SubscriptionService(world.context, { policy })
  return { account, subscriptions }
}

describe('a subscription to an address', () => {
  test.each([
    ['http://127.0.0.1:8080/x', 'loopback'],
    ['https://user:secret@10.0.0.1/', 'private'],
    ['http://0x7f.1/', 'loopback'],
    ['http://2130706433/', 'loopback'],
    ['http://0177.0.0.1/', 'loopback'],
    ['http://[::1]/', 'loopback'],
    ['http://[::ffff:169.254.169.254]/', 'link-local'],
    ['http://169.254.169.254/latest/meta-data', 'link-local'],
    ['http://[fd00:ec2::254]/', 'private'],
    ['http://0.0.0.0/', 'reserved'],
    ['http://localhost/', 'loopback'],
    ['http://LOCALHOST.:81/', 'loopback'],
    ['http://x.localhost/', 'loopback'],
  ])('%s is an error at creation and edit', async (url, kind) => {
    const { account, subscriptions } = await open()
    const allowed = await subscriptions.create(account, { ...draft, url: 'https://example.com/' })
    const refused = [
      await refusal(subscriptions.create(account, { ...draft, url })),
      await refusal(subscriptions.edit(account, allowed.id, 'message.create', { url })),
    ]
    const message = expect.stringMatching(`${kind}.*--hook-allow`)
    for (const error of refused) expect(error).toMatchObject({ code: 'invalid_parameter', message })
    expect(refused.map(String).join()).not.toContain('secret')
    expect(await subscriptions.list(account)).toEqual([allowed])
  })

  test.each([
    'http://8.8.8.8/',
    'http://internal.example/',
    'http://localhost.example.com/',
    'http://mylocalhost/',
    'http://[2606:4700:4700::1111]/',
  ])('%s is created', async url => {
    const { account, subscriptions } = await open()
    expect(await subscriptions.create(account, { ...draft, url })).toMatchObject({ url })
  })

  test('that is refused can be edited without its address', async () => {
    const { account, subscriptions } = await open({ loopback: true })
    const { id } = await subscriptions.create(account, { ...draft, url: 'http://127.0.0.1/' })
    const edited = await subscriptions.edit(account, id, 'message.create', { method: 'PUT' })
    expect(edited).toMatchObject({ url: 'http://127.0.0.1/', method: 'PUT' })
  })
})

test.each<[string, Parameters<typeof createAddressPolicy>[0], string[]]>([
  ['loopback', { loopback: true }, ['http://127.0.0.1/', 'http://[::1]/', 'http://localhost/']],
  ['ranges', { allow: ['10.0.0.0/8', '::1/128'] }, ['http://10.1.2.3/', 'http://localhost/']],
])('if %s are allowed, subscriptions to them are created', async (_, options, urls) => {
  const { account, subscriptions } = await open(options)
  for (const url of urls) await subscriptions.create(account, { ...draft, url })
  expect(await subscriptions.list(account)).toMatchObject(urls.map(url => ({ url })))
  const error = await refusal(
    subscriptions.create(account, { ...draft, url: 'http://172.16.0.1/' }),
  )
  expect(error).toMatchObject({ code: 'invalid_parameter' })
})
