import {
  type PhoneFields,
  phoneListReply,
  phoneReply,
  type QueueFields,
  queueReply,
} from '../contract/phone-schema.js'
import { type StatisticsFields, statisticsReply } from '../contract/statistics-schema.js'
import type { CallOptions } from './api-client.js'
import { EventClient } from './event-client.js'

/** The part of the interface that says how the account's phones and messages are doing (extension). */
export class StatusClient extends EventClient {
  /** GET /phone: the account's phones by name (extension). */
  async listPhones(options: CallOptions = {}): Promise<PhoneFields[]> {
    const reply = await this.transport.call('GET', '/phone', phoneListReply, options)
    return reply.phones.map(each => each.phone)
  }

  /** DELETE /phone/<name>: forgets a phone; one that asks again is known again (extension). */
  async forgetPhone(name: string, options: CallOptions = {}): Promise<PhoneFields> {
    const path = `/phone/${encodeURIComponent(name)}`
    return (await this.transport.call('DELETE', path, phoneReply, options)).phone
  }

  /** GET /message/queue: how much waits to be sent (extension). */
  async getQueue(options: CallOptions = {}): Promise<QueueFields> {
    return (await this.transport.call('GET', '/message/queue', queueReply, options)).queue
  }

  /**
   * GET /statistics: what happened in the last 48 hours and 90 days (extension).
   *
   * @param utcOffset minutes that the clock is ahead of UTC whose hours and days are meant, a multiple of 15
   */
  async getStatistics(utcOffset = 0, options: CallOptions = {}): Promise<StatisticsFields> {
    const call = { query: { utc_offset: String(utcOffset) }, ...options }
    return (await this.transport.call('GET', '/statistics', statisticsReply, call)).statistics
  }
}
