import type { CallOptions, IdempotentOptions, NextOptions } from '../../src/client/relay-client.js'
import type { FailureReport, MessageFields } from '../../src/contract/message-schema.js'
import type { PresenceReport } from '../../src/contract/phone-schema.js'
import type {
  ReceivedTextFields,
  ReceivedTextReport,
} from '../../src/contract/received-text-schema.js'
import { RelayError } from '../../src/errors.js'
import type { PhoneClient } from '../../src/phone/dispatch/worker-context.js'

/** One answer of a scripted relay: a value, an error to throw, or something that takes its time. */
export type Answer<T> = T | Error | ((options: CallOptions) => Promise<T>)

/** A call the phone made. */
export type Call =
  | { readonly call: 'next'; readonly wait: number }
  | { readonly call: 'success'; readonly id: string; readonly parts: number; readonly key: string }
  | ({ readonly call: 'presence' } & PresenceReport)
  | { readonly call: 'get' | 'release'; readonly id: string }
  | ({ readonly call: 'received'; readonly key: string } & ReceivedTextReport)
  | ({ readonly call: 'failure'; readonly id: string; readonly key: string } & FailureReport)

/** A relay that answers by script and writes down what it was asked. */
export class ScriptedClient implements PhoneClient {
  readonly calls: Call[] = []
  /** Called when a NEXT finds the script at its end. */
  atEnd: () => void = () => {}
  readonly #next: Answer<MessageFields | undefined>[]
  readonly #reports: Answer<MessageFields>[]

  constructor(next: Answer<MessageFields | undefined>[], reports: Answer<MessageFields>[] = []) {
    this.#next = [...next]
    this.#reports = [...reports]
  }

  /** The calls of one kind. */
  of<Name extends Call['call']>(name: Name): Extract<Call, { call: Name }>[] {
    return this.calls.filter((each): each is Extract<Call, { call: Name }> => each.call === name)
  }

  async nextMessage(options: NextOptions = {}): Promise<MessageFields | undefined> {
    const wait = options.wait ?? 0
    this.calls.push({ call: 'next', wait })
    if (this.#next.length > 0) return await answer(this.#next.shift(), options)
    this.atEnd()
    if (wait > 0) await untilAborted(options)
    return undefined
  }

  async reportSuccess(id: string, report: { parts: number }, options: IdempotentOptions = {}) {
    this.calls.push({ call: 'success', id, ...report, key: `${options.idempotencyKey}` })
    return await answer(this.#reports.shift() ?? message(id, { status: 'S' }), options)
  }

  /** As a relay of before there were such reports, unless told otherwise. */
  takes: (report: ReceivedTextReport, options: CallOptions) => Promise<ReceivedTextFields> =
    async () => {
      throw new RelayError('method_not_allowed', '/message/<id> takes GET, PATCH, DELETE.')
    }

  /** What GET /message/<id> answers. */
  shows: (id: string) => Promise<MessageFields> = async id => message(id)

  async getMessage(id: string) {
    this.calls.push({ call: 'get', id })
    return await this.shows(id)
  }

  /** What a release does; as a relay of before there was one, unless told otherwise. */
  takesBack: (id: string) => Promise<MessageFields> = async () => {
    throw new RelayError('not_found', 'There is nothing here.')
  }

  async releaseMessage(id: string) {
    this.calls.push({ call: 'release', id })
    return await this.takesBack(id)
  }

  /** What saying that it is there does. */
  hears: (options: CallOptions) => Promise<void> = async () => {}

  async reportPresence(report: PresenceReport = {}, options: CallOptions = {}) {
    this.calls.push({ call: 'presence', ...report })
    await this.hears(options)
  }

  async reportReceived(report: ReceivedTextReport, options: IdempotentOptions = {}) {
    this.calls.push({ call: 'received', ...report, key: `${options.idempotencyKey}` })
    return await this.takes(report, options)
  }

  async reportFailure(id: string, report: FailureReport, options: IdempotentOptions = {}) {
    this.calls.push({ call: 'failure', id, ...report, key: `${options.idempotencyKey}` })
    return await answer(this.#reports.shift() ?? message(id, { status: 'E' }), options)
  }
}

/** Rejects when the request is aborted, and never before. */
export async function untilAborted({ signal }: CallOptions): Promise<never> {
  return await new Promise((_, reject) => {
    const abort = () => reject(new DOMException('aborted', 'AbortError'))
    if (signal?.aborted === true) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}

/** A message as NEXT gives it. */
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
