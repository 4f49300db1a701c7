import { expect, onTestFinished, test } from 'vitest'
import {
  TemporarySubscriptions,
  type TemporarySubscriptionsOptions,
} from '../../../../src/cli/hook/listen/temporary-subscriptions.js'
import { createClient, startRelay } from '../../../commands/harness.js'
import { temporaryFolder } from '../../../temporary-folder.js'

const { signal } = new AbortController()

async function open() {
  const client = createClient(await startRelay())
  const stateDir = await temporaryFolder()
  const run = (over: TemporarySubscriptionsOptions['client'] = client, state = stateDir) => {
    const listening = { url: 'http://127.0.0.1:9', machine: 'laptop', stateDir: state }
    const events = ['message.create', 'message.sent']
    const subscriptions = new TemporarySubscriptions({ client: over, events, ...listening })
    onTestFinished(async () => void (await subscriptions.remove()))
    return subscriptions
  }
  return { client, run, subscriptions: run() }
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

test('those of another machine or user with the same host name are left', async () => {
  const { client, run, subscriptions } = await open()
  await subscriptions.create(signal)
  const before = await client.subscriptions.list()
  const others = run(client, await temporaryFolder())
  expect(await others.create(signal)).toEqual([])
  expect((await client.subscriptions.list()).slice(0, 2)).toEqual(before)
})

test('the subscriptions of a run that ends meanwhile are created again', async () => {
  const { client, run, subscriptions } = await open()
  await subscriptions.create(signal)
  const before = await client.subscriptions.list()
  const { subscriptions: real } = client
  const racing = {
    list: async () => {
      await subscriptions.remove()
      return before
    },
    create: real.create.bind(real),
    delete: real.delete.bind(real),
    edit: real.edit.bind(real),
    resume: real.resume.bind(real),
  }
  expect(await run({ subscriptions: racing }).create(signal)).toEqual([])
  const after = await client.subscriptions.list()
  expect(after.map(({ event }) => event)).toEqual(['message.create', 'message.sent'])
})
