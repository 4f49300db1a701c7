import type { ListenView, WebhookDetail } from './listen-view.js'
import type { ListenerEvent } from './listener.js'

/** How a listener is shown. */
export interface PrinterOptions {
  readonly isVerbose: boolean
  /** Whether each hit is shown with what it came to, so not before. */
  readonly isForwarding: boolean
  readonly showsReply: boolean
}

/** What a person sees of a listener: one line a hit, and more where it is asked for. */
export class ListenPrinter {
  readonly #view: ListenView
  readonly #options: PrinterOptions
  #isVerbose: boolean
  #last: WebhookDetail | undefined

  constructor(view: ListenView, options: PrinterOptions) {
    this.#view = view
    this.#options = options
    this.#isVerbose = options.isVerbose
  }

  /** The lines of a notice; undefined where there are none. */
  format(
    notice: ListenerEvent,
    time: string,
    detail: WebhookDetail | undefined,
  ): string | undefined {
    this.#last = detail ?? this.#last
    const line = this.#line(notice, time)
    if (line === undefined || detail === undefined) return line
    if (this.#isVerbose) return `${line}\n${this.#view.formatDetail(detail)}`
    const reply = this.#options.showsReply ? (detail.reply ?? '') : ''
    return reply === '' ? line : [line, ...this.#view.formatReply(reply)].join('\n           ')
  }

  /** Shows hits in full from now on, or no longer; what is to be seen of the last one, in the first case. */
  toggleVerbose(): string | undefined {
    this.#isVerbose = !this.#isVerbose
    return this.#isVerbose && this.#last !== undefined
      ? this.#view.formatDetail(this.#last)
      : undefined
  }

  #line(notice: ListenerEvent, time: string): string | undefined {
    switch (notice.type) {
      case 'ready': {
        const { mode, url, events = [], forward_to: target } = notice
        const to = target === undefined ? '' : ` → ${target}`
        return `Ready: ${events.join(', ')} ${mode === 'port' ? 'at' : 'from'} ${url}${to}`
      }
      case 'hit':
        return this.#options.isForwarding ? undefined : this.#view.formatWebhook(notice, time)
      case 'event':
        return this.#options.isForwarding && notice.fetched === undefined
          ? undefined
          : this.#view.formatEvent(notice, time)
      case 'attempt':
        return this.#view.formatAttempt(notice, time)
      default:
        return this.#view.formatNotice(notice, time)
    }
  }
}
