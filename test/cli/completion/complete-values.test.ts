import { expect, test } from 'vitest'
import { listValues, type ValueAccess } from '../../../src/cli/completion/complete-values.js'
import type { RelayClient } from '../../../src/index.js'
import { createClient, startRelay } from '../../commands/harness.js'

const nothingSaved = { listProfiles: async () => [], listSetups: async () => ({}) }

function createAccess(client: RelayClient, signal: AbortSignal): ValueAccess {
  return { ...nothingSaved, openClient: async () => client, signal }
}

test('messages and subscriptions are listed with their descriptions', async () => {
  const fixture = await startRelay()
  const client = createClient(fixture)
  const message = 'Line one\nand a long text that the terminal has no place'
  const { id } = await client.messages.create({ destination: '+12025550123', message })
  const url = 'https://user:password@example.com/hook'
  const subscription = await client.subscriptions.create({ event: 'message.sent', url })
  const access = createAccess(client, AbortSignal.timeout(10_000))
  expect(await listValues('messages', access)).toEqual([
    `${id}\tN +12025550123 Line one and a long text that the terminal h…`,
  ])
  expect(await listValues('subscriptions', access)).toEqual([`${subscription.id}\tmessage.sent`])
})

test('an aborted signal ends the request', async () => {
  const fixture = await startRelay()
  const access = createAccess(createClient(fixture), AbortSignal.abort())
  await expect(listValues('messages', access)).rejects.toThrow()
})
