import type { ChalkInstance } from 'chalk'
import { getObjectId } from '../../../contract/event-schema.js'
import type { Io } from '../../terminal/io.js'
import { cleanText, toOneLine } from '../../terminal/terminal-text.js'
import type { FetchedObject } from '../fetch-object.js'
import type { WebhookVerification } from '../verify-webhook.js'
import type { AttemptNotice, EventNotice, ListenerNotice } from './listen-events.js'
import type { EventWebhook } from './temporary-subscriptions.js'

/** What can be shown of a hit beside its line. */
export interface WebhookDetail {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  readonly reply?: string | undefined
}

type Colour = 'red' | 'green' | 'yellow' | 'dim' | 'bold'
type Paint = (colour: Colour, text: string) => string

const paintNothing: Paint = (_, text) => text

/** Lines on hits for people: aligned, and coloured on a terminal unless NO_COLOR says no (no-color.org). */
export class ListenView {
  readonly #paint: Paint

  private constructor(paint: Paint) {
    this.#paint = paint
  }

  /** A view for what these streams can show. */
  static async create({ stdout, env }: Pick<Io, 'stdout' | 'env'>): Promise<ListenView> {
    const isColoured = stdout.isTTY === true && (env.NO_COLOR ?? '') === ''
    if (!isColoured) return new ListenView(paintNothing)
    const { Chalk } = await import('chalk')
    const chalk: ChalkInstance = new Chalk({ level: 1 })
    return new ListenView((colour, text) => chalk[colour](text))
  }

  /** A received hit. */
  formatWebhook(hit: EventWebhook, time: string): string {
    const id = getObjectId(hit) ?? '(no message id)'
    const text = hit.fetched === undefined ? '' : this.#fetched(hit.fetched)
    const path = this.#paint('dim', toOneLine(hit.url))
    return this.#line(time, hit.event, `${hit.method.padEnd(6)}  ${id}`, path, text)
  }

  /** An event of the stream. */
  formatEvent(shown: EventNotice, time: string): string {
    const { event, sequence, fetched } = shown
    const id = getObjectId(shown) ?? '(no id)'
    const text = fetched === undefined ? '' : this.#fetched(fetched)
    return this.#line(time, event, `${id}  ${this.#paint('dim', `#${sequence}`)}`, text)
  }

  /** A hit that was handed on, and what it came to. */
  formatAttempt(attempt: AttemptNotice, time: string): string {
    const { event, method, status, ms, ok, sequence } = attempt
    const colour = ok ? 'green' : status === null || status >= 400 ? 'red' : 'yellow'
    const answer = this.#paint(colour, String(status ?? '---'))
    const took = `${ms} ms`.padStart(8)
    const number = sequence === undefined ? '' : this.#paint('dim', `#${sequence}`)
    const id = getObjectId(attempt) ?? '(no message id)'
    return this.#line(
      time,
      event,
      `${method.padEnd(6)} → ${answer} ${took}  ${id}`,
      number,
      this.#next(attempt),
    )
  }

  /** What a person is told besides. */
  formatNotice(
    notice: Extract<ListenerNotice, { type: 'missing' | 'reconnecting' }>,
    time: string,
  ): string {
    if (notice.type === 'missing') {
      const text = `Events after #${notice.after} are no longer kept: some are missing here.`
      return `${this.#time(time)}  ${this.#paint('yellow', text)}`
    }
    const { error, wait } = notice
    const text = `Reconnecting in ${formatSeconds(wait)}: ${toOneLine(error.message)}`
    return `${this.#time(time)}  ${this.#paint('yellow', text)}`
  }

  /** Everything of a hit, indented. */
  formatDetail({ headers, body, reply }: WebhookDetail): string {
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${String(value ?? '')}`)
    return [
      ...fields.map(toOneLine),
      ...(body === '' ? [] : ['', ...cleanText(body).split('\n')]),
      ...(reply === undefined ? [] : this.formatReply(reply)),
    ]
      .map(line => this.#paint('dim', `           ${line}`.trimEnd()))
      .join('\n')
  }

  /** The lines of an answer's body. */
  formatReply(text: string): string[] {
    const lines = cleanText(text).trimEnd().split('\n')
    return lines.map(line => `< ${line}`)
  }

  #fetched(object: FetchedObject | null): string {
    if (object === null) return '(no longer there)'
    const text = JSON.stringify(object.message)
    if ('from' in object) return toOneLine(`from ${object.from} ${text}`)
    return toOneLine(`${object.destination} ${object.status} ${text}`)
  }

  #next({ ok, retry_in: wait, error, replayed }: AttemptNotice): string {
    const why = error === null ? '' : toOneLine(error)
    const then = ok || replayed ? '' : wait === null ? 'refused' : `again in ${formatSeconds(wait)}`
    return [replayed ? 'replayed' : '', why, then].filter(part => part !== '').join('  ')
  }

  #line(time: string, event: string, ...parts: readonly string[]): string {
    const name = this.#paint('bold', toOneLine(event).padEnd(16))
    return [this.#time(time), name, ...parts.filter(part => part !== '')].join('  ')
  }

  #time(time: string): string {
    return this.#paint('dim', `${time.slice(11, 19)}Z`)
  }
}

function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

/** What a check of a hit came to, for people. */
export function formatVerification(check: WebhookVerification): string {
  if (!check.valid) return toOneLine(`Not valid. ${check.reason}`)
  return toOneLine(`Valid: ${check.id}, signed ${check.signed_at}.`)
}
