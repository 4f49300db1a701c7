import { RelayClient } from '../../src/client/relay-client.js'
import { createSeededRandom } from '../../src/util/crypto/seeded-random.js'
import type { Service } from './service.js'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** When the pictures are taken, in milliseconds since the epoch. */
export const now = Date.UTC(2026, 2, 18, 14, 20)
/** When their story begins. */
export const startAt = now - 30 * day

const texts = [
  'Your table for two is booked for 19:30 tonight. Reply STOP to get no more texts.',
  'Your bicycle is repaired and can be collected until 18:00.',
  'The book you reserved is at the desk of the library. It is kept for seven days.',
  'Reminder: your appointment is tomorrow at 09:15. Call us if you cannot come.',
  'Your order has left the warehouse and arrives on Thursday.',
  'Your code is 481 920. It is valid for ten minutes.',
  'The water will be off on Friday between 10:00 and 12:00.',
  'Grüße aus der Werkstatt: Ihr Fahrrad ist fertig.',
] as const

/** Tells a service a month of invented texts to numbers that belong to nobody (+1 202 555 01xx). */
export async function createSampleData(service: Service): Promise<void> {
  const story = new SampleData(service)
  for (let at = startAt; at < now - 2 * day; at += day)
    for (const minutes of story.moments(6, 14, 600)) await story.settle(at + minutes * minute)
  for (let at = now - 2 * day; at < now - hour; at += hour)
    for (const minutes of story.moments(0, isNight(at) ? 1 : 8, 55))
      await story.settle(at + minutes * minute)
  await story.end()
}

function isNight(at: number): boolean {
  const hours = new Date(at).getUTCHours()
  return hours < 7 || hours > 20
}

class SampleData {
  readonly #service: Service
  readonly #client: RelayClient
  readonly #phones: readonly RelayClient[]
  readonly #random = createSeededRandom(20260318)

  constructor(service: Service) {
    const { url, owner } = service
    const open = (key: string, phone?: { name: string; driver: string }) =>
      new RelayClient({
        ...{ url, credentials: { user: owner.secret_key, password: key } },
        ...(phone === undefined ? {} : { phone }),
      })
    this.#service = service
    this.#client = open(owner.api_key)
    this.#phones = [
      open(owner.app_key, { name: 'front-desk', driver: 'modem' }),
      open(owner.app_key, { name: 'spare', driver: 'smpp' }),
    ]
  }

  /** Some whole numbers up to a highest, in order. */
  moments(fewest: number, most: number, highest: number): number[] {
    const count = this.between(fewest, most)
    return Array.from({ length: count }, () => this.between(0, highest)).sort((a, b) => a - b)
  }

  /** A whole number of a range, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1))
  }

  /** A new text; a phone takes and reports all that is due. Numbers that end in 7 cannot be reached. */
  async settle(at: number): Promise<void> {
    await this.#create(at)
    await this.#service.setClock(at + 9000)
    const phone = this.#phones[at < now - 3 * hour && this.between(0, 3) === 0 ? 1 : 0]
    for (;;) {
      const message = await phone?.messages.next()
      if (message === undefined) return
      if (message.destination.endsWith('7'))
        await phone?.messages.reportFailure(message.id, { error_message: 'Number not in service' })
      else await phone?.messages.reportSuccess(message.id, { parts: 1 })
    }
  }

  /** The last hour: messages in every state, and what belongs to an account besides. */
  async end(): Promise<void> {
    const at = now - 50 * minute
    await this.#service.setClock(at)
    await this.#client.doNotText.add('+12025550163', { note: 'Asked at the desk to be left alone' })
    await this.#client.doNotText.add('+12025550171', { note: 'A landline' })
    await this.#client.receivedTexts.report({
      from: '+12025550142',
      message: 'STOP',
      phone: 'front-desk',
    })
    await this.#create(at + 5 * minute, { destination: '+12025550163' })
    const tomorrow = { send_on: '2026-03-19 09:00:00' }
    await this.#create(at + 12 * minute, tomorrow)
    await this.#client.messages.lock(await this.#create(at + 17 * minute, tomorrow))
    await this.#client.messages.delete(await this.#create(at + 21 * minute, tomorrow))
    for (const after of [24, 29, 33, 38, 44]) await this.settle(at + after * minute)
    await this.#service.setClock(now - 20_000)
    await this.#phones[0]?.messages.next()
    await this.#create(now - 12_000)
    await this.#subscribe()
    await this.#service.setClock(now)
  }

  /** Subscriptions to what does not happen any more, so that nobody is called. */
  async #subscribe(): Promise<void> {
    const at = (path: string) => `https://hooks.example.com/sms/${path}`
    await this.#client.subscriptions.create({ event: 'message.sent', url: at('sent') })
    await this.#client.subscriptions.create({ event: 'message.failed', url: at('failed') })
    const url = at('received?desk=front')
    const { id } = await this.#client.subscriptions.create({ event: 'message.received', url })
    await this.#client.subscriptions.pause(id)
  }

  async #create(
    at: number,
    more: { destination?: string; send_on?: string } = {},
  ): Promise<string> {
    await this.#service.setClock(at)
    const destination = `+120255501${this.between(0, 59).toString().padStart(2, '0')}`
    const message = texts[this.between(0, texts.length - 1)] ?? ''
    return (await this.#client.messages.create({ destination, message, ...more })).id
  }
}
