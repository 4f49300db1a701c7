import { expect, onTestFinished, test, vi } from 'vitest'
import { callerFor } from '../conformance/calls.js'
import { newDirectory, openRelay } from './admin/rig.js'

const hour = 3_600_000
const draft = { destination: '+12025550143', message: 'hello' }

test('each minute what was sent for so long is removed, for good, and what waits is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.UTC(2030, 0, 1) })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const dataDir = await newDirectory()
  const relay = await openRelay(dataDir, {}, { retain: '1h' })
  await relay.start()
  const keys = await relay.administration.createAccount({ email: 'ann@example.com' })
  const api = await callerFor(relay.url, keys.secret_key, keys.api_key)
  const phone = await callerFor(relay.url, keys.secret_key, keys.app_key)
  const create = async (): Promise<string> =>
    (await api.post('/message', { message: draft })).body.message.id
  const sent = await create()
  await phone.next()
  await phone.put(`/message/${sent}/success`, { parts: 1 })
  const waiting = await create()
  const text = { from: '+12025550144', message: 'hello' }
  const received = await phone.post('/message/received', text)
  const { id: textId } = (received.body as unknown as { received: { id: string } }).received
  await vi.advanceTimersByTimeAsync(hour - 1)
  expect((await api.get(`/message/${sent}`)).status).toBe(200)
  expect((await api.get(`/message/received/${textId}`)).status).toBe(200)
  await vi.advanceTimersByTimeAsync(60_000)
  await vi.waitFor(async () => expect((await api.get(`/message/${sent}`)).status).toBe(404))
  await vi.waitFor(async () =>
    expect((await api.get(`/message/received/${textId}`)).status).toBe(404),
  )
  await relay.stop()
  const again = await openRelay(dataDir)
  await again.start()
  const later = await callerFor(again.url, keys.secret_key, keys.api_key)
  expect((await later.get(`/message/${sent}`)).body.error).toBe('not_a_message')
  expect((await later.get(`/message/${waiting}`)).status).toBe(200)
})
