import { expect, test } from 'vitest'
import { reportFailed, reportSent } from '../../../../src/cli/hook/trigger/report-message.js'
import { RelayClient } from '../../../../src/index.js'
import { startService } from '../../../commands/harness.js'

async function world() {
  const { relay, account } = await startService()
  const credentials = { user: account.secret_key, password: account.api_key }
  const client = new RelayClient({ url: relay.url, credentials })
  const message = await client.messages.create({ destination: '5551212', message: 'hi' })
  const status = async () => (await client.messages.get(message.id)).status
  return { client, message, status }
}

test('a message that somebody else has settled in the same way is fine', async () => {
  const { client, message, status } = await world()
  await client.messages.reportSuccess(message.id, { parts: 2 })
  await reportSent(client, message, {})
  expect(await status()).toBe('S')
  const failed = await world()
  await failed.client.messages.reportFailure(failed.message.id, { error_message: 'busy' })
  await reportFailed(failed.client, failed.message, {})
  await reportFailed(failed.client, failed.message, {})
  expect(await failed.status()).toBe('F')
})

test('one that has come to another end is said to have', async () => {
  const { client, message } = await world()
  await client.messages.lock(message.id)
  await expect(reportSent(client, message, {})).rejects.toMatchObject({ code: 'invalid_state' })
  await expect(reportFailed(client, message, {})).rejects.toMatchObject({ code: 'invalid_state' })
})
