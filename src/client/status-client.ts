import {
  type PhoneFields,
  phoneHeaders,
  phoneListReply,
  phoneReply,
  type QueueFields,
  queueReply,
} from '../contract/phone.js'
import { type StatisticsFields, statisticsReply } from '../contract/statistics-reply.js'
import { isPhoneLabel } from '../domain/phone-state.js'
import { RelayError } from '../errors.js'
import { type CallOptions, EventClient } from './event-client.js'
import type { Transport } from './transport.js'

/** How a phone makes itself known to its relay (extension). */
export interface PhoneIdentity {
  /** 1 to 64 printable characters of ASCII. */
  readonly name: string
  /** How it sends texts, as the name. */
  readonly driver?: string | undefined
}

/** The header fields by which a phone makes itself known. Throws `usage`. */
export function introduction(phone: PhoneIdentity | undefined): Record<string, string> {
  if (phone === undefined) return {}
  const { name, driver } = phone
  for (const text of [name, driver]) {
    if (text === undefined || isPhoneLabel(text)) continue
    const rule = 'needs 1 to 64 printable characters of ASCII'
    throw new RelayError('usage', `The name of a phone or of its driver ${rule}: ${text}`)
  }
  return {
    [phoneHeaders.name]: name,
    ...(driver === undefined ? {} : { [phoneHeaders.driver]: driver }),
  }
}

/** The part of the interface that says how the account's phones and messages are doing (extension). */
export class StatusClient extends EventClient {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /** GET /phone: the account's phones by name (extension). */
  async listPhones(options: CallOptions = {}): Promise<PhoneFields[]> {
    const reply = await this.#transport.call('GET', '/phone', phoneListReply, options)
    return reply.phones.map(each => each.phone)
  }

  /** DELETE /phone/<name>: forgets a phone; one that asks again is known again (extension). */
  async forgetPhone(name: string, options: CallOptions = {}): Promise<PhoneFields> {
    const path = `/phone/${encodeURIComponent(name)}`
    return (await this.#transport.call('DELETE', path, phoneReply, options)).phone
  }

  /** GET /message/queue: how much waits to be sent (extension). */
  async getQueue(options: CallOptions = {}): Promise<QueueFields> {
    return (await this.#transport.call('GET', '/message/queue', queueReply, options)).queue
  }

  /**
   * GET /statistics: what happened in the last 48 hours and 90 days (extension).
   *
   * @param utcOffset minutes that the clock is ahead of UTC whose hours and days are meant, a multiple of 15
   */
  async getStatistics(utcOffset = 0, options: CallOptions = {}): Promise<StatisticsFields> {
    const call = { query: { utc_offset: String(utcOffset) }, ...options }
    return (await this.#transport.call('GET', '/statistics', statisticsReply, call)).statistics
  }
}
