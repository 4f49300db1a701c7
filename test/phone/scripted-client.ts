import type { BatchOptions, CallOptions, NextOptions } from '../../src/client/call-options.js'
import type {
  DeliveryReceiptFields,
  DeliveryReportResult,
} from '../../src/contract/delivery-status-schema.js'
import type { FailureReport, MessageFields } from '../../src/contract/message-schema.js'
import type { PresenceReport } from '../../src/contract/phone-schema.js'
import type {
  ReceivedTextFields,
  ReceivedTextReport,
} from '../../src/contract/received-text-schema.js'
import { RelayError } from '../../src/errors.js'
import type { PhoneClient } from '../../src/phone/relay/phone-client.js'

/** One answer of a scripted relay: a value, an error, or a function. */
export type Answer<T> = T | Error | ((options: CallOptions) => Promise<T>)

export type Call =
  | { readonly call: 'next'; readonly wait: number }
  | { readonly call: 'success'; readonly id: string; readonly parts: number; readonly key: string }
  | ({ readonly call: 'presence' } & PresenceReport)
  | { readonly call: 'get' | 'release'; readonly id: string }
  | ({ readonly call: 'received'; readonly key: string } & ReceivedTextReport)
  | ({ readonly call: 'failure'; readonly id: string; readonly key: string } & FailureReport)

/** A client of an old relay without batches, with scripted answers; it records its calls. */
export class ScriptedClient implements PhoneClient {
  readonly calls: Call[] = []
  /** Called when a NEXT comes after the end of the script. */
  atEnd: () => void = () => {}
  readonly #next: Answer<MessageFields | undefined>[]
  readonly #reports: Answer<MessageFields>[]

  constructor(next: Answer<MessageFields | undefined>[], reports: Answer<MessageFields>[] = []) {
    this.#next = [...next]
    this.#reports = [...reports]
  }

  of<Name extends Call['call']>(name: Name): Extract<Call, { call: Name }>[] {
    return this.calls.filter((each): each is Extract<Call, { call: Name }> => each.call === name)
  }

  /** Answers POST /message/received; by default like an old relay without this route. */
  takes: (report: ReceivedTextReport, options: CallOptions) => Promise<ReceivedTextFields> =
    async () => {
      throw new RelayError('method_not_allowed', '/message/<id> takes GET, PATCH, DELETE.')
    }

  /** Answers GET /message/<id>. */
  shows: (id: string) => Promise<MessageFields> = async id => message(id)

  /** Answers a release; by default like an old relay without this route. */
  takesBack: (id: string) => Promise<MessageFields> = async () => {
    throw new RelayError('not_found', 'There is nothing here.')
  }

  readonly receipts: DeliveryReceiptFields[] = []

  /** Answers POST /message/delivery; by default accepts all. */
  takesReceipts: (receipts: readonly DeliveryReceiptFields[]) => Promise<DeliveryReportResult[]> =
    async receipts => receipts.map(({ id }) => ({ id, status: 200 }))

  hears: (options: CallOptions) => Promise<void> = async () => {}

  readonly messages: PhoneClient['messages'] = {
    nextBatch: async ({ batch: _, since: __, ...options }: BatchOptions) => {
      const found = await this.messages.next(options)
      return found === undefined ? undefined : { messages: [found], claim: undefined }
    },
    report: async () => {
      throw new RelayError('method_not_allowed', '/message/<id> takes GET, PATCH, DELETE.')
    },
    next: async (options: NextOptions = {}) => {
      const wait = options.wait ?? 0
      this.calls.push({ call: 'next', wait })
      if (this.#next.length > 0) return await answer(this.#next.shift(), options)
      this.atEnd()
      if (wait > 0) await untilAborted(options)
      return undefined
    },
    get: async id => {
      this.calls.push({ call: 'get', id })
      return await this.shows(id)
    },
    reportSuccess: async (id, report, options = {}) => {
      this.calls.push({ call: 'success', id, ...report, key: `${options.idempotencyKey}` })
      return await answer(this.#reports.shift() ?? message(id, { status: 'S' }), options)
    },
    reportFailure: async (id, report, options = {}) => {
      this.calls.push({ call: 'failure', id, ...report, key: `${options.idempotencyKey}` })
      return await answer(this.#reports.shift() ?? message(id, { status: 'E' }), options)
    },
    reportDelivery: async receipts => {
      this.receipts.push(...receipts)
      return await this.takesReceipts(receipts)
    },
    release: async id => {
      this.calls.push({ call: 'release', id })
      return await this.takesBack(id)
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
