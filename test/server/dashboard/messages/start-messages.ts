import type { RelaySettings } from '../../../../src/server/config/relay-config.js'
import type { RelayOverrides } from '../../../../src/server/open-relay.js'
import { getHiddenField } from '../browser.js'
import { startWithBrowsers } from '../dashboard-relay.js'

export const number = '+12025550123'

export async function startMessages(
  overrides: RelayOverrides = {},
  settings: Partial<RelaySettings> = {},
) {
  const relay = await startWithBrowsers(settings, overrides)
  const createForm = async (fields: Record<string, string> = {}, browser = relay.browser) => {
    const key = getHiddenField((await browser.get('/send')).text, 'key')
    return { key, destination: number, message: 'Hello', send_on: '', zone: 'UTC', ...fields }
  }
  const send = async (fields: Record<string, string> = {}, browser = relay.browser) =>
    await browser.submit('/send', await createForm(fields, browser))
  const listMessages = async () =>
    await relay.client.messages.list({ filter: 'all', order: 'asc', count: 100 })
  return { ...relay, createForm, send, listMessages }
}
