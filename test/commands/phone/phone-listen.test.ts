import { join } from 'node:path'
import { expect, it } from 'vitest'
import MessageReceived from '../../../commands/message/received.js'
import Phone from '../../../commands/phone.js'
import { startProvider } from '../../phone/drivers/http/provider.js'
import { createClient, run, start, startRelay } from '../harness.js'

const secret = 'a-secret-of-the-webhook'
const env = { KANNEL_PASSWORD: 'pass', SMSRELAY_WEBHOOK_SECRET: secret }
const driver = [
  ...['--driver', 'http', '--option', 'preset=kannel', '--option', 'account=me'],
  ...['--option', 'url=http://127.0.0.1:9'],
]

it('phone --listen passes a received text of a webhook on to the relay', async () => {
  const fixture = await startRelay()
  const journal = ['--journal', join(fixture.dataDir, '..', 'phone')]
  const flags = [...driver, ...journal, '--listen', '0', ...fixture.flags]
  const phone = start(Phone, flags, { ...fixture, env: { ...fixture.env, ...env } })
  await phone.waitForOutput('idle')
  const [, address = ''] = /listening url=(http:\S+)/.exec(phone.getOutput()) ?? []
  const text = new URLSearchParams({ id: 'k-1', from: '+12025550123', text: 'Moin' })
  expect((await fetch(`${address}?${text}`)).status).toBe(403)
  expect((await fetch(`${address}/${secret}?${text}`)).status).toBe(200)
  await phone.waitForOutput('forwarded')
  expect((await fetch(`${address}/${secret}?${text}`)).status).toBe(200)
  expect((await fetch(address.replace('kannel', 'other'))).status).toBe(404)
  phone.signals.emit('SIGINT')
  expect((await phone.ended).stdout).toContain('webhook error=A webhook for /kannel')
  const { stdout } = await run(MessageReceived, ['--json', ...fixture.flags], fixture)
  expect(JSON.parse(stdout)).toMatchObject([{ from: '+12025550123', message: 'Moin' }])
})

it('phone --listen passes a receipt of a webhook on to the relay', async () => {
  const provider = await startProvider({ status: 202, body: '0: Accepted for delivery' })
  const fixture = await startRelay()
  const client = createClient(fixture)
  const draft = { destination: '+12025550123', message: 'Hello' }
  const message = await client.messages.create(draft)
  const account = ['--option', 'account=me', '--option', `url=${provider.url}`]
  const flags = [
    ...['--driver', 'http', '--option', 'preset=kannel', ...account],
    ...['--option', 'public-url=http://127.0.0.1:9', '--listen', '0', '--no-journal'],
    ...fixture.flags,
  ]
  const phone = start(Phone, flags, { ...fixture, env: { ...fixture.env, ...env } })
  await phone.waitForOutput(' sent ')
  const [, address = ''] = /listening url=(http:\S+)/.exec(phone.getOutput()) ?? []
  const report = new URLSearchParams({ id: message.id, to: '12025550123', type: '1' })
  expect((await fetch(`${address}/${secret}?${report}`)).status).toBe(200)
  await phone.waitForOutput('reported')
  await expect
    .poll(async () => (await client.messages.get(message.id)).delivery?.state)
    .toBe('delivered')
  phone.signals.emit('SIGINT')
  await phone.ended
  const callback = encodeURIComponent(`http://127.0.0.1:9/kannel/${secret}`)
  expect(provider.requests[0]).toContain(`dlr-url=${callback}`)
})

it.each<[string[], Record<string, string>, string]>([
  [[...driver, '--listen', '1:2:3'], env, '[HOST:]PORT'],
  [[...driver, '--listen', '99999'], env, '"99999"'],
  [[...driver, '--listen', '0'], { KANNEL_PASSWORD: 'pass' }, 'SMSRELAY_WEBHOOK_SECRET'],
  [[...driver, '--listen', '0'], { ...env, SMSRELAY_WEBHOOK_SECRET: 'short' }, '16 or more'],
  [['--driver', 'simulate', '--listen', '0'], {}, 'no webhooks'],
  [[...driver, '--listen', '203.0.113.1:0'], env, '--listen [HOST:]PORT'],
])('phone %j is refused', async (flags, given, problem) => {
  const fixture = await startRelay()
  const all = [...flags, '--no-journal', '--once', ...fixture.flags]
  const { code, stderr } = await run(Phone, all, { env: { ...fixture.env, ...given } })
  expect(code).not.toBe(0)
  expect(stderr).toContain(problem)
})
