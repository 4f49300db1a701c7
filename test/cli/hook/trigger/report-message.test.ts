import { expect, test } from 'vitest'
import { reportFailed, reportSent } from '../../../../src/cli/hook/trigger/report-message.js'
import { createClient, startRelay } from '../../../commands/harness.js'

async function createMessage() {
  const client = createClient(await startRelay())
  const message = await client.messages.create({ destination: '5551212', message: 'hi' })
  const status = async () => (await client.messages.get(message.id)).status
  return { client, message, status }
}

test('a message that already has the reported status causes no error', async () => {
  const { client, message, status } = await createMessage()
  await client.messages.reportSuccess(message.id, { parts: 2 })
  await reportSent(client, message, {})
  expect(await status()).toBe('S')
  const failed = await createMessage()
  await failed.client.messages.reportFailure(failed.message.id, { error_message: 'busy' })
  await reportFailed(failed.client, failed.message, {})
  await reportFailed(failed.client, failed.message, {})
  expect(await failed.status()).toBe('F')
})

test('a message with another final status causes invalid_state', async () => {
  const { client, message } = await createMessage()
  await client.messages.lock(message.id)
  await expect(reportSent(client, message, {})).rejects.toMatchObject({ code: 'invalid_state' })
  await expect(reportFailed(client, message, {})).rejects.toMatchObject({ code: 'invalid_state' })
})
