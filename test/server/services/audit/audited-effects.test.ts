import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startAudited } from './audit-rig.js'

/** A server that runs `act` while it handles each request. */
async function startServer(act: () => Promise<unknown>): Promise<string> {
  const server = createServer((_, response) => void act().finally(() => response.end()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('a test webhook and an event that is sent again arrive after their entries', async () => {
  const { client, readNew } = await startAudited()
  const actions: string[][] = []
  const url = await startServer(async () => {
    actions.push((await readNew()).map(({ action }) => action))
  })
  const { id } = await client.subscriptions.create({ event: 'message.create', url })
  const message = { destination: '+12025550123', message: 'Hello' }
  await client.messages.create(message)
  await expect.poll(() => actions).toHaveLength(1)
  await client.subscriptions.test(id)
  const sequence = (await client.events.list({ after: -1 })).last
  await expect.poll(async () => (await client.subscriptions.get(id)).stat_triggered).toBe(1)
  await client.subscriptions.resend(id, sequence)
  expect(actions.slice(1)).toEqual([['subscription.test'], ['delivery.resend']])
  await expect(client.subscriptions.resend(id, 999)).rejects.toMatchObject({ code: 'not_found' })
  expect(await readNew()).toEqual([])
})
