import type { ChalkInstance } from 'chalk'
import { getObjectId } from '../../../contract/event-schema.js'
import { type Io, shouldUseColor } from '../../terminal/io.js'
import { cleanText, toOneLine } from '../../terminal/terminal-text.js'
import type { FetchedObject } from '../fetch-object.js'
import type {
  AttemptNotice,
  EventNotice,
  EventWebhook,
  ListenerEvent,
  WebhookDetail,
} from './listen-events.js'

export interface ListenViewOptions {
  readonly isVerbose: boolean
  readonly isForwarding: boolean
  readonly showsReply: boolean
}

type Color = 'red' | 'green' | 'yellow' | 'dim' | 'bold'
type Paint = (color: Color, text: string) => string

const paintNothing: Paint = (_, text) => text
/** Columns of the time in `hook listen` output, and two spaces. */
const indent = ' '.repeat(11)

export class ListenView {
  readonly #options: ListenViewOptions
  readonly #paint: Paint
  #isVerbose: boolean
  #last: WebhookDetail | undefined

  private constructor(options: ListenViewOptions, paint: Paint) {
    this.#options = options
    this.#isVerbose = options.isVerbose
    this.#paint = paint
  }

  /**
   * Prints what `hook listen` shows; uses colors on a terminal unless NO_COLOR is set
   * (no-color.org).
   */
  static async create(
    { stdout, env }: Pick<Io, 'stdout' | 'env'>,
    options: ListenViewOptions,
  ): Promise<ListenView> {
    if (!shouldUseColor(stdout, env)) return new ListenView(options, paintNothing)
    const { Chalk } = await import('chalk')
    const chalk: ChalkInstance = new Chalk({ level: 1 })
    return new ListenView(options, (color, text) => chalk[color](text))
  }

  format(
    event: ListenerEvent,
    time: string,
    detail: WebhookDetail | undefined,
  ): string | undefined {
    this.#last = detail ?? this.#last
    const line = this.#formatLine(event, time)
    if (line === undefined || detail === undefined) return line
    if (this.#isVerbose) return `${line}\n${this.#formatDetail(detail)}`
    const reply = this.#options.showsReply ? (detail.reply ?? '') : ''
    return reply === '' ? line : [line, ...formatReply(reply)].join(`\n${indent}`)
  }

  /** Switches --verbose of `hook listen` on or off. When on, returns the last webhook in full. */
  toggleVerbose(): string | undefined {
    this.#isVerbose = !this.#isVerbose
    return this.#isVerbose && this.#last !== undefined ? this.#formatDetail(this.#last) : undefined
  }

  #formatLine(event: ListenerEvent, time: string): string | undefined {
    const { isForwarding } = this.#options
    switch (event.type) {
      case 'ready':
        return formatReady(event)
      case 'hit':
        return isForwarding ? undefined : this.#formatWebhook(event, time)
      case 'refused':
        return this.#formatWarning(`Refused: ${toOneLine(event.reason)}`, time)
      case 'event':
        return isForwarding && event.fetched === undefined
          ? undefined
          : this.#formatEvent(event, time)
      case 'attempt':
        return this.#formatAttempt(event, time)
      case 'missing':
        return this.#formatWarning(`Events after #${event.after} are deleted and skipped.`, time)
      case 'expired': {
        const names = event.events.join(', ')
        return this.#formatWarning(`No contact for an hour: subscribed again to ${names}.`, time)
      }
      case 'reconnecting': {
        const reason = toOneLine(event.error.message)
        return this.#formatWarning(`Reconnecting in ${formatSeconds(event.wait)}: ${reason}`, time)
      }
    }
  }

  #formatWebhook(webhook: EventWebhook, time: string): string {
    const { event, method, url, fetched } = webhook
    const id = getObjectId(webhook) ?? '(no id)'
    const path = this.#paint('dim', toOneLine(url))
    return this.#join(time, event, `${method.padEnd(6)}  ${id}`, path, formatFetched(fetched))
  }

  #formatEvent(notice: EventNotice, time: string): string {
    const { event, sequence, fetched } = notice
    const id = getObjectId(notice) ?? '(no id)'
    const number = this.#paint('dim', `#${sequence}`)
    return this.#join(time, event, `${id}  ${number}`, formatFetched(fetched))
  }

  #formatAttempt(attempt: AttemptNotice, time: string): string {
    const { event, method, status, ms, ok, sequence } = attempt
    const color = ok ? 'green' : status === null || status >= 400 ? 'red' : 'yellow'
    const reply = this.#paint(color, String(status ?? '---'))
    const duration = `${ms} ms`.padStart(8)
    const id = getObjectId(attempt) ?? '(no id)'
    const number = sequence === undefined ? '' : this.#paint('dim', `#${sequence}`)
    const request = `${method.padEnd(6)} → ${reply} ${duration}  ${id}`
    return this.#join(time, event, request, number, formatNextStep(attempt))
  }

  #formatWarning(text: string, time: string): string {
    return `${this.#formatTime(time)}  ${this.#paint('yellow', text)}`
  }

  #formatDetail({ headers, body, reply }: WebhookDetail): string {
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${String(value ?? '')}`)
    return [
      ...fields.map(toOneLine),
      ...(body === '' ? [] : ['', ...cleanText(body).split('\n')]),
      ...(reply === undefined ? [] : formatReply(reply)),
    ]
      .map(line => this.#paint('dim', `${indent}${line}`.trimEnd()))
      .join('\n')
  }

  #join(time: string, event: string, ...parts: readonly string[]): string {
    const name = this.#paint('bold', toOneLine(event).padEnd(16))
    return [this.#formatTime(time), name, ...parts.filter(part => part !== '')].join('  ')
  }

  #formatTime(time: string): string {
    return this.#paint('dim', `${time.slice(11, 19)}Z`)
  }
}

function formatReady(event: Extract<ListenerEvent, { type: 'ready' }>): string {
  const { mode, url, events, forward_to: target, secret, taken_over: takenOver = [] } = event
  const to = target === undefined ? '' : ` → ${target}`
  return [
    `Ready ${mode === 'port' ? 'at' : 'for events from'} ${url}${to}`,
    ...(events.length === 0 ? [] : [`Events: ${events.join(', ')}`]),
    ...(secret === undefined ? [] : [`Signing secret: ${toOneLine(secret)}`]),
    ...(takenOver.length === 0 ? [] : ['Continuing the subscriptions of an earlier run.']),
  ].join('\n')
}

function formatFetched(object: FetchedObject | null | undefined): string {
  if (object === undefined) return ''
  if (object === null) return '(deleted)'
  if ('added_on' in object) return toOneLine(`${object.number} ${object.reason ?? ''}`)
  if ('url' in object) return toOneLine(`${object.state ?? ''} ${object.url}`)
  const text = JSON.stringify(object.message)
  if ('from' in object) return toOneLine(`from ${object.from} ${text}`)
  return toOneLine(`${object.destination} ${object.status} ${text}`)
}

function formatNextStep({ ok, retry_in: wait, error, replayed }: AttemptNotice): string {
  const reason = error === null ? '' : toOneLine(error)
  const next = ok || replayed ? '' : wait === null ? 'failed' : `retry in ${formatSeconds(wait)}`
  return [replayed ? 'replayed' : '', reason, next].filter(part => part !== '').join('  ')
}

function formatReply(text: string): string[] {
  const lines = cleanText(text).trimEnd().split('\n')
  return lines.map(line => `< ${line}`)
}

function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
