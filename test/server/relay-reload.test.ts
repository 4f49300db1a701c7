import { expect, test } from 'vitest'
import { RelayClient } from '../../src/index.js'
import { renewed } from '../certificate.js'
import { writeCertificate } from '../certificate-files.js'
import { openConnection } from '../net/server/client-connection.js'
import { newDirectory, openRelay } from './admin/rig.js'
import { runRelay } from './running-relay.js'

test('a reload changes opt-out keywords and the limit of subscriptions', async () => {
  const { dataDir, relay, account } = await runRelay({ maxSubscriptions: 0 })
  const { secret_key: user, api_key: apiKey, app_key: appKey } = account
  const api = new RelayClient({ url: relay.url, credentials: { user, password: apiKey } })
  const phone = new RelayClient({ url: relay.url, credentials: { user, password: appKey } })
  const receive = async () =>
    (await phone.receivedTexts.report({ from: '+12025550171', message: 'Basta!' })).word
  const subscribe = async () =>
    await api.subscriptions.create({ url: 'https://93.184.216.34/', event: 'message.sent' })
  expect(await receive()).toBeNull()
  await expect(subscribe()).rejects.toThrow(/has 0 subscriptions/)
  await relay.reload({ dataDir, keywords: 'stop=BASTA', maxSubscriptions: 1 })
  expect(await receive()).toBe('stop')
  await subscribe()
})

test('a reload changes the limit of connections, and open ones stay', async () => {
  const { dataDir, relay } = await runRelay()
  const port = Number(new URL(relay.url).port)
  const open = await openConnection(port)
  await relay.reload({ dataDir, maxConnections: 1 })
  const refused = await openConnection(port)
  expect((await refused.replies(1))[0]).toMatch(/^HTTP\/1\.1 503 /)
  await open.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect((await open.replies(1))[0]).toMatch(/^HTTP\/1\.1 200 /)
})

test('a reload reads the certificate again, and wrong settings change nothing', async () => {
  const { files, replace } = await writeCertificate()
  const warnings: string[] = []
  const settings = { dataDir: await newDirectory(), tlsCert: files.cert, tlsKey: files.key }
  const overrides = { warn: (sentence: string) => warnings.push(sentence) }
  const relay = await openRelay(settings.dataDir, overrides, settings)
  await replace('cert', renewed.cert)
  await expect(relay.reload({ ...settings, lease: 0 })).rejects.toMatchObject({ code: 'usage' })
  await relay.reload(settings)
  await replace('key', renewed.key)
  await relay.reload(settings)
  expect(warnings).toEqual([
    expect.stringMatching(/^The old TLS certificate stays in use: /),
    expect.stringMatching(/^A new TLS certificate is in use/),
  ])
})
