import { type AuditFields, auditListReply, auditReply } from '../contract/audit/audit-schema.js'
import {
  type PhoneFields,
  type PresenceReport,
  phoneHeaders,
  phoneListReply,
  phoneReply,
  type QueueFields,
  queueReply,
} from '../contract/phone-schema.js'
import {
  type ReportQuery,
  type StatisticsReportFields,
  statisticsReportReply,
} from '../contract/statistics/statistics-report-schema.js'
import { type StatisticsFields, statisticsReply } from '../contract/statistics/statistics-schema.js'
import { type StatusFields, statusReply } from '../contract/status-schema.js'
import { anyReply } from '../contract/user-schema.js'
import type { CallOptions } from './call-options.js'
import type { Transport } from './transport.js'

/** Phones, queue, problems and statistics of the account, one method a route (extension). */
export class StatusClient {
  readonly #transport: Transport
  readonly #phoneHeaders: Readonly<Record<string, string>>

  /** Creates the client's status part. @param phoneHeaders fields that name the phone */
  constructor(transport: Transport, phoneHeaders: Readonly<Record<string, string>>) {
    this.#transport = transport
    this.#phoneHeaders = phoneHeaders
  }

  /** GET /phone: the account's phones by name. */
  async listPhones(options: CallOptions = {}): Promise<PhoneFields[]> {
    const pages = await this.#transport.readPages('/phone', phoneListReply, options)
    return pages.flatMap(page => page.phones.map(each => each.phone))
  }

  /** DELETE /phone/<name>: forgets a phone until it sends its next request. */
  async forgetPhone(name: string, options: CallOptions = {}): Promise<PhoneFields> {
    const path = `/phone/${encodeURIComponent(name)}`
    return (await this.#transport.call('DELETE', path, phoneReply, options)).phone
  }

  /** GET /message/queue: how many messages wait, are due and are leased. */
  async getQueue(options: CallOptions = {}): Promise<QueueFields> {
    return (await this.#transport.call('GET', '/message/queue', queueReply, options)).queue
  }

  /** GET /status: the present problems of the relay and of the account. */
  async getStatus(options: CallOptions = {}): Promise<StatusFields> {
    return (await this.#transport.call('GET', '/status', statusReply, options)).status
  }

  /** GET /message/queue: reports that a phone is present while it fetches no messages. */
  async reportPresence(report: PresenceReport = {}, options: CallOptions = {}): Promise<void> {
    const { quiet_until: until, signal, rate, operator } = report
    const fields = [
      [phoneHeaders.quietUntil, until],
      [phoneHeaders.signal, signal],
      [phoneHeaders.operator, operator && encodeURIComponent(operator.toWellFormed())],
      [phoneHeaders.rate, rate],
    ].filter(([, value]) => value !== undefined)
    const call = { headers: { ...this.#phoneHeaders, ...Object.fromEntries(fields) }, ...options }
    await this.#transport.call('GET', '/message/queue', anyReply, call)
  }

  /** GET /statistics/report: the message counts of some days, in rows. */
  async getStatisticsReport(
    query: ReportQuery,
    options: CallOptions = {},
  ): Promise<StatisticsReportFields> {
    const { by = 'day', from, to, time_zone = 'UTC' } = query
    const call = { query: { by, from, to, time_zone }, ...options }
    const path = '/statistics/report'
    return (await this.#transport.call('GET', path, statisticsReportReply, call)).report
  }

  /**
   * GET /statistics: the message counts of the last 48 hours and 90 days.
   *
   * @param utcOffset minutes ahead of UTC of the clock whose hours and days count, a multiple of 15
   */
  async getStatistics(utcOffset = 0, options: CallOptions = {}): Promise<StatisticsFields> {
    const call = { query: { utc_offset: String(utcOffset) }, ...options }
    return (await this.#transport.call('GET', '/statistics', statisticsReply, call)).statistics
  }
}

/** Which entries of the audit log the client asks for; times in UTC `YYYY-MM-DD HH:MM:SS`. */
export interface AuditSelection {
  /** The most audit entries that the client asks for, 1 to 100. */
  readonly count?: number | undefined
  /** Only audit entries before the one with this identifier. */
  readonly before?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** An action of the audit log, or all of a resource, such as `subscription`. */
  readonly action?: string | undefined
  readonly actor?: string | undefined
  readonly target?: string | undefined
  readonly address?: string | undefined
  /** Only for the owner: id or e-mail address of the account whose audit log is wanted. */
  readonly account?: string | undefined
}

/** The audit log of the account, one method a route (extension). */
export class AuditClient {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** GET /audit: a page of the audit log, the newest entries first. */
  async list(selection: AuditSelection = {}, options: CallOptions = {}): Promise<AuditFields[]> {
    const set = Object.entries(selection).filter(([, value]) => value !== undefined)
    const query = Object.fromEntries(set.map(([name, value]) => [name, String(value)]))
    const call = { query, ...options }
    const reply = await this.#transport.call('GET', '/audit', auditListReply, call)
    return reply.audit.map(({ entry }) => entry)
  }

  /** GET /audit/ID. Throws `not_found`. */
  async get(id: string, options: CallOptions = {}): Promise<AuditFields> {
    const path = `/audit/${encodeURIComponent(id)}`
    return (await this.#transport.call('GET', path, auditReply, options)).entry
  }
}
