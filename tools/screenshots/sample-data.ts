import { RelayClient } from '../../src/client/relay-client.js'
import { createSeededRandom } from '../../src/util/crypto/seeded-random.js'
import type { Service } from './service.js'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The time of the pictures, in milliseconds since the epoch. */
export const now = Date.UTC(2026, 2, 18, 14, 20)
/** The time of the first message, in milliseconds since the epoch. */
export const startAt = now - 30 * day

const texts = [
  'Your table for two is booked for 19:30 tonight. Reply STOP to get no more texts.',
  'Your bicycle is repaired and can be collected until 18:00.',
  'The book you reserved is ready in the library. Please collect it within seven days.',
  'Reminder: your appointment is tomorrow at 09:15. Call us if you cannot come.',
  'Your order has left the warehouse and arrives on Thursday.',
  'Your code is 481 920. It is valid for ten minutes.',
  'The water will be off on Friday between 10:00 and 12:00.',
  'Grüße aus der Werkstatt: Ihr Fahrrad ist fertig.',
] as const

/** Creates a month of invented texts to numbers that are reserved for fiction (+1 202 555 01xx). */
export async function createSampleData(service: Service): Promise<void> {
  const data = new SampleData(service)
  for (let at = startAt; at < now - 2 * day; at += day)
    for (const minutes of data.createMinutes(6, 14, 600)) await data.sendText(at + minutes * minute)
  for (let at = now - 2 * day; at < now - hour; at += hour) {
    const times = data.createMinutes(0, isNight(at) ? 1 : 8, 55)
    for (let from = 0; from < 60; from += 5) {
      for (const minutes of times.filter(each => each >= from && each < from + 5))
        await data.sendText(at + minutes * minute)
      await data.reportPresence(at + (from + 5) * minute - 1)
    }
  }
  await data.createLastHour()
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

  /** Creates a random number of minutes of an hour or a day, in order. */
  createMinutes(minCount: number, maxCount: number, maxMinute: number): number[] {
    const count = this.pickInteger(minCount, maxCount)
    return Array.from({ length: count }, () => this.pickInteger(0, maxMinute)).sort((a, b) => a - b)
  }

  /** Picks an integer from a range, including both ends. */
  pickInteger(min: number, max: number): number {
    return min + Math.floor(this.#random() * (max - min + 1))
  }

  /** Creates a text. A phone sends all due messages; numbers that end in 7 fail. */
  async sendText(at: number): Promise<void> {
    await this.#create(at)
    await this.#service.setClock(at + 9000)
    await this.#sendDue(this.#phones[at < now - 3 * hour && this.pickInteger(0, 3) === 0 ? 1 : 0])
  }

  /** The first phone is away for some minutes; the second one has quiet hours at night. */
  async reportPresence(at: number): Promise<void> {
    await this.#service.setClock(at)
    const isAway = at > now - 6 * hour && at < now - 5.5 * hour
    if (!isAway) await this.#sendDue(this.#phones[0])
    const quiet = isNight(at) ? { quiet_until: '2026-03-18 06:59:59' } : {}
    if (at < now - 3 * hour) await this.#phones[1]?.status.reportPresence(quiet)
  }

  async #sendDue(phone: RelayClient | undefined): Promise<void> {
    for (;;) {
      const message = await phone?.messages.next()
      if (message === undefined) return
      if (message.destination.endsWith('7'))
        await phone?.messages.reportFailure(message.id, { error_message: 'Number not in service' })
      else await phone?.messages.reportSuccess(message.id, { parts: 1 })
    }
  }

  /** Creates messages in every status, and the other resources of an account. */
  async createLastHour(): Promise<void> {
    const at = now - 50 * minute
    await this.#service.setClock(at)
    await this.#client.doNotText.add('+12025550163', { note: 'Asked us to stop' })
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
    for (const minutes of [24, 29, 33, 38, 44]) await this.sendText(at + minutes * minute)
    await this.#service.setClock(now - 20_000)
    await this.#phones[0]?.messages.next()
    await this.#create(now - 12_000)
    await this.#createSubscriptions()
    await this.#service.setClock(now)
  }

  /** Creates subscriptions after the last event, so that no webhook is sent. */
  async #createSubscriptions(): Promise<void> {
    const createUrl = (path: string) => `https://hooks.example.com/sms/${path}`
    await this.#client.subscriptions.create({ event: 'message.sent', url: createUrl('sent') })
    await this.#client.subscriptions.create({ event: 'message.failed', url: createUrl('failed') })
    const url = createUrl('received?phone=front')
    const { id } = await this.#client.subscriptions.create({ event: 'message.received', url })
    await this.#client.subscriptions.pause(id)
  }

  async #create(
    at: number,
    fields: { destination?: string; send_on?: string } = {},
  ): Promise<string> {
    await this.#service.setClock(at)
    const destination = `+120255501${this.pickInteger(0, 59).toString().padStart(2, '0')}`
    const message = texts[this.pickInteger(0, texts.length - 1)] ?? ''
    return (await this.#client.messages.create({ destination, message, ...fields })).id
  }
}
