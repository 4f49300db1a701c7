import { describe, expect, onTestFinished, test } from 'vitest'
import type { NewAccount, Relay } from '../../../src/index.js'
import type { RelaySettings } from '../../../src/server/config/relay-config.js'
import { createMessage } from '../../conformance/acts.js'
import { type Caller, expectError, signInCaller } from '../../conformance/calls.js'
import { createRelay } from '../../quick-relay.js'
import { openSink, type Sink } from '../../server/webhooks/sink.js'
import { temporaryFolder } from '../../temporary-folder.js'

type Settings = Omit<RelaySettings, 'dataDir' | 'port'>

/** Starts one relay after another on a data directory. */
async function openPlace() {
  const dataDir = await temporaryFolder()
  let relay: Relay | undefined
  let account: NewAccount | undefined
  const stop = async (): Promise<void> => await relay?.stop()
  onTestFinished(stop)
  return async (settings: Settings): Promise<Caller> => {
    await stop()
    relay = await createRelay({ dataDir, port: 0, ...settings })
    await relay.start()
    account ??= await relay.administration.createAccount({ email: 'ann@example.com' })
    return await signInCaller(relay.url, account.secret_key, account.api_key)
  }
}

const hook = (sink: Sink) => ({ event: 'message.create', url: `${sink.url}/hook` })
const behindProxy: [string, Settings][] = [
  ['with a public base address', { baseUrl: 'https://sms.example.com' }],
  ['behind a proxy', { trustProxy: true }],
]

test('a relay that listens on loopback sends webhooks to loopback', async () => {
  const sink = await openSink()
  const api = await (await openPlace())({})
  expect((await api.post('/subscription', hook(sink))).status).toBe(200)
  const { id } = await createMessage(api)
  await sink.arrived(1)
  expect(sink.messages()).toEqual([id])
})

describe.each(behindProxy)('a relay %s', (_, settings) => {
  test('rejects a subscription to loopback by POST and PATCH', async () => {
    const sink = await openSink()
    const api = await (await openPlace())(settings)
    for (const url of [sink.url, 'http://localhost:81/', 'http://0x7f.1/', 'http://[::1]/']) {
      const refused = await api.post('/subscription', { ...hook(sink), url })
      expectError(refused, 400, 'invalid_parameter', '--hook-allow')
    }
    const zoned = await api.post('/subscription', { ...hook(sink), url: 'http://[::1%25lo]/' })
    expectError(zoned, 400, 'invalid_parameter', 'url')
    const draft = { event: 'message.create', url: 'https://example.com/' }
    const { subscription } = (await api.post('/subscription', draft)).body
    const edit = await api.patch(`/subscription/${subscription.id}`, hook(sink))
    expectError(edit, 400, 'invalid_parameter', '--hook-allow')
  })

  test('sends no webhook to loopback for an old subscription, unless that is allowed', async () => {
    const sink = await openSink()
    const open = await openPlace()
    const before = await open({})
    const { subscription } = (await before.post('/subscription', hook(sink))).body
    const api = await open(settings)
    const { id } = await createMessage(api)
    // Counts the first webhook of an event, also if it fails.
    for (let tried = 0; tried === 0; ) {
      const { body } = await api.get(`/subscription/${subscription.id}`)
      tried = body.subscription.stat_triggered
    }
    expect(sink.requests).toEqual([])
    await open({ ...settings, hookAllow: ['127.0.0.1/32'] })
    await sink.arrived(1)
    expect(sink.messages()).toEqual([id])
  })
})
