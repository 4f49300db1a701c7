import { describe, expect, test } from 'vitest'
import { createClock } from '../../src/util/async/clock.js'
import { type Caller, request } from '../conformance/calls.js'
import { createRelay } from '../quick-relay.js'
import { newDirectory, openRelay } from './admin/rig.js'
import { draft, runRelay, runWaiting } from './running-relay.js'

describe('a stop', () => {
  test('without a start, and a second time, releases the directory', async () => {
    const dataDir = await newDirectory()
    const relay = await openRelay(dataDir)
    await Promise.all([relay.stop(), relay.stop()])
    await relay.stop()
    await openRelay(dataDir)
  })

  test('during the start waits for the start', async () => {
    const dataDir = await newDirectory()
    const relay = await openRelay(dataDir)
    const started = relay.start()
    await relay.stop()
    await started
    await expect(request(relay.url, 'GET')).rejects.toThrow()
    await openRelay(dataDir)
  })

  test('of which one part fails still releases the directory', async () => {
    const dataDir = await newDirectory()
    const clock = createClock()
    const after = (milliseconds: number, run: () => void) => {
      const cancel = clock.after(milliseconds, run)
      return () => {
        cancel()
        // The tasks at long intervals fail to stop.
        if (milliseconds >= 30_000) throw new Error('The timer cannot be cancelled.')
      }
    }
    const relay = await createRelay({ dataDir, port: 0 }, { clock: { ...clock, after } })
    await relay.start()
    await expect(relay.stop()).rejects.toThrow('cannot be cancelled')
    await openRelay(dataDir)
  })

  test('ends a NEXT that waits', async () => {
    const { relay, reply } = await runWaiting()
    const before = performance.now()
    const stopped = relay.stop()
    expect(await reply).toMatchObject({ status: 404, body: { error: 'not_a_message' } })
    await stopped
    expect(performance.now() - before).toBeLessThan(10_000)
  })

  test('under load loses no accepted message', async () => {
    const { dataDir, relay, account, api, signIn } = await runRelay()
    const answered: string[] = []
    const client = async (): Promise<void> => {
      for (;;) {
        const reply = await api.post('/message', { message: draft }).catch(() => undefined)
        if (reply?.status !== 200) return
        answered.push(reply.body.message.id)
        if (answered.length === 50) stopped = relay.stop()
      }
    }
    let stopped: Promise<void> | undefined
    await Promise.all(Array.from({ length: 8 }, client))
    await stopped
    const again = await openRelay(dataDir)
    await again.start()
    const reader = await signIn(again, account.api_key)
    const stored = await Promise.all(answered.map(id => reader.get(`/message/${id}`)))
    expect(stored.filter(reply => reply.status !== 200)).toEqual([])
    expect(answered.length).toBeGreaterThanOrEqual(50)
  })
})

describe('a restart', () => {
  test('does not change the reply to a repeated request', async () => {
    const baseUrl = 'https://sms.example.com'
    const { dataDir, relay, account, api, phone, signIn } = await runRelay({ baseUrl })
    const create = async (caller: Caller, message: object = draft) =>
      await caller.call('POST', '/message', {
        headers: { 'idempotency-key': 'k', 'content-type': 'application/json' },
        body: JSON.stringify({ message }),
      })
    const first = await create(api)
    expect(first.text).toContain(`${baseUrl}/api/1/message/${first.body.message.id}`)
    await api.patch(`/message/${first.body.message.id}`, { message: { message: 'edited' } })
    expect((await create(api)).text).toBe(first.text)
    await phone.next()
    await phone.put(`/message/${first.body.message.id}/success`, { parts: 1 })
    await relay.stop()
    const again = await openRelay(dataDir, {}, { baseUrl })
    await again.start()
    const later = await signIn(again, account.api_key)
    expect((await create(later)).text).toBe(first.text)
    const other = await create(later, { ...draft, message: 'other' })
    expect(other).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
  })

  test('does not end tokens, and a deleted account stays deleted', async () => {
    const { dataDir, relay, api } = await runRelay()
    await relay.administration.createAccount({ email: 'bob@example.com' })
    await relay.administration.deleteAccount('bob@example.com')
    await relay.stop()
    const again = await openRelay(dataDir)
    await again.start()
    const headers = { authorization: `Bearer ${api.token}` }
    expect((await request(`${again.url}/api/1/user`, 'GET', { headers })).status).toBe(200)
    expect(await again.administration.listAccounts()).toMatchObject([{ email: 'ann@example.com' }])
  })
})

test('deleting an account ends its tokens and its waiting NEXT', async () => {
  const { relay, api, reply } = await runWaiting()
  await relay.administration.deleteAccount('ann@example.com')
  expect(await reply).toMatchObject({ status: 404 })
  expect((await api.get('/user')).body.error).toBe('invalid_token')
})

test.each([true, false])(
  'with sandbox %s a message to a test number is sent without a phone: %s',
  async sandbox => {
    const { api } = await runRelay({ sandbox })
    const made = await api.post('/message', { message: { ...draft, destination: '+12025551212' } })
    const status = async () =>
      (await api.get(`/message/${made.body.message.id}`)).body.message.status
    if (sandbox) await expect.poll(status).toBe('S')
    else expect(await status()).toBe('N')
  },
)

test('a phone has the same state after a restart', async () => {
  const { dataDir, relay, account, phone, api, signIn } = await runRelay()
  await phone.next({ headers: { 'x-phone-name': 'pixel', 'x-phone-driver': 'modem' } })
  const known = (await api.get('/phone')).text
  expect(known).toContain('"pixel"')
  await relay.stop()
  const again = await openRelay(dataDir)
  await again.start()
  const reader = await signIn(again, account.api_key)
  expect((await reader.get('/phone')).text).toBe(known)
})
