import type { BatchOptions, CallOptions } from '../../src/client/call-options.js'
import type {
  DeliveryReceiptFields,
  DeliveryReportResult,
} from '../../src/contract/delivery-status-schema.js'
import type { ReportResult } from '../../src/contract/message-batch-schema.js'
import type { FailureReport, MessageFields } from '../../src/contract/message-schema.js'
import type { PresenceReport } from '../../src/contract/phone-schema.js'
import type {
  ReceivedTextFields,
  ReceivedTextReport,
} from '../../src/contract/received-text-schema.js'
import type { Status } from '../../src/domain/message/message.js'
import { isRelayError, RelayError } from '../../src/errors.js'
import type { PhoneClient } from '../../src/phone/relay/phone-client.js'
import { classifyRelayError } from '../../src/phone/relay/relay-error.js'
import type { PhoneReport } from '../../src/phone/relay/relay-steps.js'

/** One answer of a scripted relay: a value, an error, or a function. */
export type Answer<T> = T | Error | ((options: CallOptions) => Promise<T>)

export type Call =
  | { readonly call: 'next'; readonly wait: number }
  | { readonly call: 'success'; readonly id: string; readonly parts: number; readonly key: string }
  | ({ readonly call: 'presence' } & PresenceReport)
  | { readonly call: 'get' | 'release' | 'renew'; readonly id: string }
  | ({ readonly call: 'received'; readonly key: string } & ReceivedTextReport)
  | ({ readonly call: 'failure'; readonly id: string; readonly key: string } & FailureReport)

/** A client of a relay with scripted answers, one message a batch; it records its calls. */
export class ScriptedClient implements PhoneClient {
  readonly calls: Call[] = []
  /** Called when a NEXT comes after the end of the script. */
  atEnd: () => void = () => {}
  readonly #next: Answer<MessageFields | undefined>[]
  readonly #reports: Answer<MessageFields>[]
  #claims = 0
  /** The message that the phone has; the next one is due when it is reported or released. */
  #given: string | undefined
  #settled: Promise<void> | undefined
  #settle = () => {}

  constructor(next: Answer<MessageFields | undefined>[], reports: Answer<MessageFields>[] = []) {
    this.#next = [...next]
    this.#reports = [...reports]
  }

  of<Name extends Call['call']>(name: Name): Extract<Call, { call: Name }>[] {
    return this.calls.filter((each): each is Extract<Call, { call: Name }> => each.call === name)
  }

  /** Answers POST /message/received; by default refuses it. */
  takes: (report: ReceivedTextReport, options: CallOptions) => Promise<ReceivedTextFields> =
    async () => {
      throw new RelayError('invalid_parameter', 'No received texts are scripted.')
    }

  /** Answers a renewal, and GET /message/<id>. */
  shows: (id: string) => Promise<MessageFields> = async id => message(id)

  /** Answers a release. */
  takesBack: (id: string) => Promise<MessageFields> = async id => message(id)

  readonly receipts: DeliveryReceiptFields[] = []

  /** Answers POST /message/delivery; by default accepts all. */
  takesReceipts: (receipts: readonly DeliveryReceiptFields[]) => Promise<DeliveryReportResult[]> =
    async receipts => receipts.map(({ id }) => ({ id, status: 200 }))

  hears: (options: CallOptions) => Promise<void> = async () => {}

  readonly messages: PhoneClient['messages'] = {
    nextBatch: async ({ wait = 0, signal }: BatchOptions) => {
      if (this.#given !== undefined) await Promise.race([this.#settled, untilAborted({ signal })])
      this.calls.push({ call: 'next', wait })
      const isAtEnd = this.#next.length === 0
      if (isAtEnd) this.atEnd()
      if (isAtEnd && wait > 0) await untilAborted({ signal })
      const found = isAtEnd ? undefined : await answer(this.#next.shift(), { signal })
      if (found === undefined) return undefined
      this.#given = found.id
      this.#settled = new Promise(resolve => {
        this.#settle = resolve
      })
      this.#claims += 1
      return { messages: [found], claim: this.#claims }
    },
    report: async (outcomes, options = {}) => {
      const results: ReportResult[] = []
      for (const each of outcomes as readonly PhoneReport[]) {
        const result = await this.#report(each, options).catch(toErrorResult(each.id))
        if (!isRenewal(each) || !isWaiting(result.message?.status)) this.#end(each.id)
        results.push(result)
      }
      return results
    },
    get: async id => {
      this.calls.push({ call: 'get', id })
      return await this.shows(id)
    },
    reportDelivery: async receipts => {
      this.receipts.push(...receipts)
      return await this.takesReceipts(receipts)
    },
  }

  readonly receivedTexts: PhoneClient['receivedTexts'] = {
    report: async (report, options = {}) => {
      this.calls.push({ call: 'received', ...report, key: `${options.idempotencyKey}` })
      return await this.takes(report, options)
    },
  }

  readonly status: PhoneClient['status'] = {
    reportPresence: async (report = {}, options = {}) => {
      this.calls.push({ call: 'presence', ...report })
      await this.hears(options)
    },
  }

  #end(id: string): void {
    if (id !== this.#given) return
    this.#given = undefined
    // After the phone has read the reply.
    setImmediate(this.#settle)
  }

  async #report(report: PhoneReport, options: CallOptions): Promise<ReportResult> {
    const { id, idempotency_key: key = '', parts, error, outcome = 'failed', release } = report
    const answerWith = async (status: Status) =>
      await answer(this.#reports.shift() ?? message(id, { status }), options)
    if (parts !== undefined) {
      this.calls.push({ call: 'success', id, parts, key })
      return { id, status: 200, message: await answerWith('S') }
    }
    if (error !== undefined) {
      this.calls.push({ call: 'failure', id, error_message: error, outcome, key })
      return { id, status: 200, message: await answerWith('E') }
    }
    this.calls.push({ call: release === true ? 'release' : 'renew', id })
    const result = release === true ? await this.takesBack(id) : await this.shows(id)
    return { id, status: 200, message: result }
  }
}

/** Whether the phone sends the message, or releases it because it must not be sent. */
function isWaiting(status: Status | undefined): boolean {
  return status !== undefined && 'NEBL'.includes(status)
}

function isRenewal({ parts, error, release }: PhoneReport): boolean {
  return parts === undefined && error === undefined && release === undefined
}

/** Makes the result of an item that the relay refuses; other errors are those of the request. */
function toErrorResult(id: string) {
  return (error: unknown): ReportResult => {
    if (!isRelayError(error) || classifyRelayError(error) !== 'refused') throw error
    return { id, status: 400, error: error.code, error_description: error.message }
  }
}

/** Rejects when the request is aborted. */
export async function untilAborted({ signal }: CallOptions): Promise<never> {
  return await new Promise((_, reject) => {
    const abort = () => reject(new DOMException('aborted', 'AbortError'))
    if (signal?.aborted === true) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}

export function message(id: string, fields: Partial<MessageFields> = {}): MessageFields {
  return {
    id,
    destination: '+12025550123',
    message: 'Hello there',
    created_on: '2026-01-01 00:00:00',
    send_on: '2026-01-01 00:00:00',
    status: 'N',
    status_date: '2026-01-01 00:00:00',
    source: 'api',
    failure_count: 0,
    ...fields,
  }
}

async function answer<T>(scripted: Answer<T>, options: CallOptions): Promise<T> {
  if (scripted instanceof Error) throw scripted
  if (scripted instanceof Function) return await scripted(options)
  return scripted
}
