import { expect, onTestFinished, test } from 'vitest'
import { TemporarySubscriptions } from '../../../../src/cli/hook/listen/temporary-subscriptions.js'
import { createClient, startRelay } from '../../../commands/harness.js'
import { temporaryFolder } from '../../../temporary-folder.js'

const { signal } = new AbortController()

async function open() {
  const client = createClient(await startRelay())
  const subscriptions = new TemporarySubscriptions({
    client,
    events: ['message.create', 'message.sent'],
    url: 'http://127.0.0.1:9',
    machine: 'laptop',
    stateDir: await temporaryFolder(),
  })
  onTestFinished(async () => void (await subscriptions.remove()))
  return { client, subscriptions }
}

test('temporary subscriptions carry the name of the machine', async () => {
  const { client, subscriptions } = await open()
  expect(await subscriptions.create(signal)).toEqual([])
  const created = await client.subscriptions.list()
  expect(created.map(each => each.listener)).toEqual(['laptop', 'laptop'])
  expect(await subscriptions.renew(signal)).toEqual([])
})

test('a renewal creates the subscription again that the relay has removed', async () => {
  const { client, subscriptions } = await open()
  await subscriptions.create(signal)
  const [first] = await client.subscriptions.list()
  await client.subscriptions.delete(first?.id ?? '')
  expect(await subscriptions.renew(signal)).toEqual(['message.create'])
  const events = (await client.subscriptions.list()).map(({ event, url }) => ({ event, url }))
  expect(events).toContainEqual({ event: 'message.create', url: first?.url })
  expect(await subscriptions.remove()).toEqual([])
  expect(await client.subscriptions.list()).toEqual([])
})
