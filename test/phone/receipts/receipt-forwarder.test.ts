import { describe, expect, it } from 'vitest'
import type { DeliveryReceiptFields } from '../../../src/contract/delivery-status-schema.js'
import { RelayError } from '../../../src/errors.js'
import type { PhoneEvent } from '../../../src/phone/events/phone-events.js'
import { forwardReceipts } from '../../../src/phone/receipts/receipt-forwarder.js'
import { ReceiptInbox } from '../../../src/phone/receipts/receipt-inbox.js'
import { ReceiptRecords } from '../../../src/phone/receipts/receipt-records.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { ScriptedClient } from '../scripted-client.js'

const to = '+12025550123'
const message = (id: string) => ({ id, destination: to, text: '' })

/** A forwarder that runs until it is stopped, on a clock that moves by itself. */
function startForwarder() {
  const clock = new FakeClock({ auto: true })
  const events: PhoneEvent[] = []
  const onEvent = (event: PhoneEvent) => void events.push(event)
  const inbox = new ReceiptInbox({ clock, onEvent })
  const client = new ScriptedClient([])
  const stop = new AbortController()
  const force = new AbortController().signal
  const options = { inbox, client, clock, onEvent, stop: stop.signal, force, random: () => 0 }
  const done = forwardReceipts(options)
  const finish = async () => {
    stop.abort()
    await done
  }
  const dropped = () => events.filter(each => each.event === 'receipt-dropped')
  return { clock, events, inbox, client, finish, dropped }
}

const accept = async (receipts: readonly DeliveryReceiptFields[]) =>
  receipts.map(({ id }) => ({ id, status: 200 }))

describe('receipts', () => {
  it('are reported by message and part, those of one id for all parts', async () => {
    const { clock, inbox, client, finish } = startForwarder()
    await inbox.recordSent(message('m1'), { networkIds: ['1', '2'] })
    await inbox.recordSent(message('m2'), { networkIds: ['3'] })
    const at = clock.now() - 60_000
    await inbox.onReceipt({ to, state: 'delivered', networkId: '2', at })
    await inbox.onReceipt({ to, state: 'expired', networkId: '3', reason: 'too\nlate' })
    await expect.poll(() => client.receipts).toHaveLength(2)
    await finish()
    expect(client.receipts).toMatchObject([
      { id: 'm1', part: 2, state: 'delivered', at: '2023-11-14 22:12:20' },
      { id: 'm2', state: 'expired', reason: 'too late' },
    ])
    expect(client.receipts[1]).not.toHaveProperty('part')
    expect(inbox.isEmpty).toBe(true)
  })

  it('have the time of the text and what passed on the clock of the network', async () => {
    const { clock, inbox, client, finish } = startForwarder()
    await inbox.recordSent(message('m1'), { networkIds: ['1', '2'] })
    await clock.pass(60_000)
    await inbox.onReceipt({ to, state: 'delivered', networkId: '1', elapsed: 20_000 })
    await inbox.onReceipt({ to, state: 'delivered', networkId: '2', elapsed: 90_000 })
    await expect.poll(() => client.receipts).toHaveLength(2)
    await finish()
    const times = client.receipts.map(each => each.at)
    expect(times).toEqual(['2023-11-14 22:13:40', '2023-11-14 22:14:20'])
  })

  it('are reported again when the relay says that the message is not sent yet', async () => {
    const { inbox, client, finish, dropped } = startForwarder()
    let early = 3
    client.takesReceipts = async receipts => {
      early -= 1
      if (early < 0) return await accept(receipts)
      return receipts.map(({ id }) => ({ id, status: 409, error: 'invalid_state', retry_after: 5 }))
    }
    await inbox.recordSent(message('m1'), { networkIds: ['1'] })
    await inbox.onReceipt({ to, state: 'delivered', networkId: '1' })
    await expect.poll(() => inbox.isEmpty).toBe(true)
    await finish()
    expect(client.receipts).toHaveLength(4)
    expect(dropped()).toEqual([])
  })

  it('are kept while the relay is down', async () => {
    const { inbox, client, finish, events } = startForwarder()
    let down = 5
    client.takesReceipts = async receipts => {
      down -= 1
      if (down >= 0) throw new RelayError('unreachable', 'Down.')
      return await accept(receipts)
    }
    await inbox.recordSent(message('m1'), { networkIds: ['1'] })
    await inbox.onReceipt({ to, state: 'delivered', networkId: '1' })
    await expect.poll(() => inbox.isEmpty).toBe(true)
    await finish()
    expect(events.map(each => each.event)).toEqual(['reported', 'offline', 'online'])
  })

  it('that the relay rejects, or that match nothing for ten minutes, are dropped', async () => {
    const { clock, inbox, client, finish, dropped } = startForwarder()
    client.takesReceipts = async receipts =>
      receipts.map(({ id }) => ({ id, status: 404, error_description: 'There is no message.' }))
    await inbox.recordSent(message('m1'), { networkIds: ['1'] })
    await inbox.onReceipt({ to, state: 'delivered', networkId: '1' })
    await inbox.onReceipt({ to, state: 'delivered', networkId: 'unknown' })
    const start = clock.now()
    await expect.poll(() => inbox.isEmpty).toBe(true)
    await finish()
    expect(clock.now() - start).toBeGreaterThanOrEqual(600_000)
    const rest = { event: 'receipt-dropped', to, state: 'delivered' } as const
    expect(dropped()).toEqual([
      { ...rest, error: 'There is no message.' },
      { ...rest, error: "No text that this phone sent has the network's id unknown." },
    ])
  })

  it.each(['not_found', 'not_a_message', 'method_not_allowed', 'invalid_reply'] as const)(
    'are kept when a proxy answers %s',
    async code => {
      const { inbox, client, finish, dropped } = startForwarder()
      client.takesReceipts = async receipts => {
        if (client.receipts.length < 3) throw new RelayError(code, 'Nothing here.')
        return await accept(receipts)
      }
      await inbox.recordSent(message('m1'), { networkIds: ['1'] })
      await inbox.onReceipt({ to, state: 'delivered', networkId: '1' })
      await expect.poll(() => inbox.isEmpty).toBe(true)
      await finish()
      expect(client.receipts).toHaveLength(3)
      expect(dropped()).toEqual([])
    },
  )

  it('are reported in smaller batches until the cause of a refusal is found', async () => {
    const { inbox, client, finish, dropped } = startForwarder()
    const arrived: string[] = []
    client.takesReceipts = async receipts => {
      if (receipts.length > 100) throw new RelayError('payload_too_large', 'Too large.')
      if (receipts.some(({ id }) => id === 'm77')) throw new RelayError('invalid_request', 'No.')
      arrived.push(...receipts.map(({ id }) => id))
      return await accept(receipts)
    }
    const ids = Array.from({ length: 300 }, (_, index) => `${index}`)
    for (const id of ids) await inbox.recordSent(message(`m${id}`), { networkIds: [`n${id}`] })
    for (const id of ids) await inbox.onReceipt({ to, state: 'delivered', networkId: `n${id}` })
    await expect.poll(() => inbox.isEmpty).toBe(true)
    await finish()
    expect(new Set(arrived).size).toBe(299)
    expect(dropped()).toMatchObject([{ error: 'No.' }])
  })

  it('that could not be stored are rejected, and reported when they come again', async () => {
    const records = new ReceiptRecords()
    let isFull = true
    const append = async () => {
      if (isFull) throw new Error('disk full')
    }
    const store = { records, append, appendWithRetry: async () => {} }
    const inbox = new ReceiptInbox({ store, clock: new FakeClock(), onEvent: () => {} })
    await inbox.recordSent(message('m1'), { networkIds: ['1'] })
    const receipt = { to, state: 'delivered', networkId: '1' } as const
    await expect(inbox.onReceipt(receipt)).rejects.toThrow('disk full')
    expect(inbox.listReady(9)).toEqual([])
    isFull = false
    await inbox.onReceipt(receipt)
    expect(inbox.listReady(9)).toMatchObject([{ message: 'm1', receipt: { state: 'delivered' } }])
  })

  it('of parts with one id are all reported until one is undelivered', async () => {
    const { inbox, client, finish } = startForwarder()
    await inbox.recordSent({ ...message('m1'), text: 'x'.repeat(200) }, { networkIds: ['1'] })
    for (const state of ['delivered', 'delivered', 'undelivered', 'delivered'] as const) {
      await inbox.onReceipt({ to, state, networkId: '1' })
      await expect.poll(() => inbox.isEmpty).toBe(true)
    }
    await finish()
    const states = client.receipts.map(each => each.state)
    expect(states).toEqual(['delivered', 'delivered', 'undelivered'])
  })

  it('that come again after the relay has a final one are ignored', async () => {
    const { inbox, client, finish } = startForwarder()
    await inbox.recordSent(message('m1'), { networkIds: ['FF'] })
    for (const networkId of ['ff', '255', '00FF']) {
      await inbox.onReceipt({ to, state: 'delivered', networkId })
      await expect.poll(() => inbox.isEmpty).toBe(true)
    }
    await finish()
    expect(client.receipts).toHaveLength(1)
  })
})
