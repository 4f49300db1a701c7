import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DeliveryReceipt } from '../../../src/phone/driver-port/driver.js'
import { openReceiptLog, ReceiptInbox } from '../../../src/phone/receipts/receipt-inbox.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { FakeClock } from '../../util/async/fake-clock.js'

const states = ['pending', 'delivered', 'undelivered', 'expired'] as const
const messages = 4
const lines = ['a', 'b', undefined] as const

/** Of two parts each. In the other form some are the ids of another message (`10` and `16`). */
const ids = [
  ['10', '11'],
  ['16', '0017'],
  ['1a', 'FF'],
  ['SMSC-1', 'smsc-2'],
] as const

const step = fc.record({
  act: fc.oneof(
    { weight: 4, arbitrary: fc.constant('send' as const) },
    { weight: 8, arbitrary: fc.constant('receipt' as const) },
    { weight: 3, arbitrary: fc.constantFrom('restart', 'forward', 'refuse') },
  ),
  message: fc.nat(messages - 1),
  part: fc.nat(1),
  state: fc.constantFrom(...states),
  form: fc.constantFrom('same', 'other', 'padded'),
})

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** The form in which the network writes an id into a receipt. */
function writeId(id: string, form: Step['form']): string {
  if (form === 'padded') return `0${id.toLowerCase()}`
  if (form === 'same' || !/^[0-9a-f]+$/i.test(id)) return id
  return /^\d+$/.test(id) ? BigInt(id).toString(16) : BigInt(`0x${id}`).toString()
}

const toDriverMessage = (at: number) => ({
  ...{ id: `m${at}`, destination: `+120255501${at}${at}`, text: '' },
})

/** A phone, its network and its relay. */
class World {
  readonly clock = new FakeClock()
  readonly dropped: string[] = []
  /** The states that the relay was told, by message and part. */
  readonly told = new Map<string, string[]>()
  readonly expected = new Map<string, string[]>()
  readonly #path: string
  #inbox!: ReceiptInbox
  #store: AsyncDisposable | undefined

  constructor(folder: string) {
    this.#path = join(folder, 'receipts')
  }

  async open(): Promise<void> {
    await this.#store?.[Symbol.asyncDispose]()
    const store = await openReceiptLog(this.#path, {
      owner: 'o',
      warn: () => {},
      compactAfter: 400,
    })
    this.#store = store
    const onEvent = (event: { event: string; error?: string }) => {
      if (event.event === 'receipt-dropped') this.dropped.push(`${event.error}`)
    }
    this.#inbox = new ReceiptInbox({ store, clock: this.clock, onEvent })
  }

  async run({ act, message, part, state, form }: Step): Promise<void> {
    if (act === 'restart') await this.open()
    else if (act === 'forward') await this.forward()
    else if (act === 'refuse')
      for (const { receipt } of this.#inbox.listReady(9)) this.#inbox.postpone(receipt, 5000)
    else if (act === 'send') await this.send(message)
    else await this.#receive(message, part, state, form)
    this.clock.advance(1000)
  }

  async send(message: number): Promise<void> {
    const line = lines[message % lines.length]
    const sent = { networkIds: ids[message] as readonly string[] }
    await this.#inbox.recordSent(
      toDriverMessage(message),
      line === undefined ? sent : { ...sent, line },
    )
  }

  async forward(): Promise<void> {
    const ready = this.#inbox.listReady(100)
    for (const { receipt, message, part } of ready)
      this.told.set(`${message} ${part}`, [
        ...(this.told.get(`${message} ${part}`) ?? []),
        receipt.state,
      ])
    await this.#inbox.remove(ready.map(each => each.receipt))
  }

  async #receive(at: number, part: number, state: Step['state'], form: Step['form']) {
    const line = lines[at % lines.length]
    const { id, destination: to } = toDriverMessage(at)
    const networkId = writeId(ids[at]?.[part] ?? '', form)
    const receipt: DeliveryReceipt = {
      to,
      state,
      networkId,
      ...(line === undefined ? {} : { line }),
    }
    await this.#inbox.onReceipt(receipt)
    const key = `${id} ${part + 1}`
    this.expected.set(key, [...(this.expected.get(key) ?? []), state])
  }
}

test('receipts of every part reach the relay, whatever came first', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
      const world = new World(await temporaryFolder())
      await world.open()
      for (const each of steps) await world.run(each)
      for (let message = 0; message < messages; message += 1) await world.send(message)
      world.clock.advance(10_000)
      await world.forward()
      for (const [key, received] of world.expected) {
        const told = world.told.get(key) ?? []
        expect(
          told.every(state => received.includes(state)),
          key,
        ).toBe(true)
        const isFinal = received.some(state => state !== 'pending')
        expect(told.length, key).toBeGreaterThan(0)
        expect(
          told.some(state => state !== 'pending'),
          key,
        ).toBe(isFinal)
      }
      expect([...world.told.keys()].filter(key => !world.expected.has(key))).toEqual([])
      expect(world.dropped).toEqual([])
    }),
    { numRuns: 60, interruptAfterTimeLimit: 20_000 },
  )
})
