import type { Account } from '../../../domain/account/account.js'
import { describeReceived } from '../../../domain/phone/received-mms.js'
import type { ReceivedText } from '../../../domain/phone/received-text.js'
import { formatDateTime } from '../../../domain/time/date-time.js'
import { InFlight } from '../../../util/async/in-flight.js'
import { pluralize } from '../../../util/text/plural.js'
import type { AutomaticMail, OutgoingMail } from '../automatic-mail.js'
import type { ServiceContext } from '../service-context.js'

/** Milliseconds in which the service collects received texts for one mail. */
const collectTime = 5000
const firstRetry = 60_000
/** Milliseconds that the service waits at a stop for a mail in progress. */
const stopGrace = 3000
/** Received texts of one mail; the service leaves further ones to the dashboard. */
const maxTexts = 100

/**
 * Mails received texts to the `receivedMail` address of their account. An account gets at most one
 * mail in ten minutes, with all texts since the last one. The account has the identifier of the
 * last text that was mailed, so a restart loses none; after a crash a mail can be sent twice. What
 * changes a Do Not Text list and has no event is not mailed.
 */
export class ReceivedMail {
  readonly #context: ServiceContext
  readonly #mail: AutomaticMail
  readonly #onError: (error: unknown) => void
  readonly #timers = new Map<string, () => void>()
  readonly #inFlight = new InFlight()
  #isStopped = false
  #unwatch: () => void = () => {}

  constructor(context: ServiceContext, mail: AutomaticMail, onError: (error: unknown) => void) {
    this.#context = context
    this.#mail = mail
    this.#onError = onError
  }

  /** Mails the texts that the service has not mailed yet, and later ones until {@link stop}. */
  async start(): Promise<void> {
    const scan = async (): Promise<void> => {
      for (const { id, receivedMail } of await this.#context.store.accounts.list()) {
        if (receivedMail !== undefined) this.#schedule(id)
      }
    }
    this.#unwatch = this.#context.store.watch(
      ({ account, events }) => {
        if (events.includes('message.received')) this.#schedule(account)
      },
      () => this.#inFlight.track(scan()).catch(this.#onError),
    )
    await scan()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#unwatch()
    for (const cancel of this.#timers.values()) cancel()
    this.#timers.clear()
    let cancel = (): void => {}
    const timeout = new Promise<void>(resolve => {
      cancel = this.#context.clock.after(stopGrace, resolve)
    })
    await Promise.race([this.#inFlight.idle(), timeout])
    cancel()
  }

  #schedule(account: string, wait = collectTime): void {
    if (this.#isStopped || this.#timers.has(account)) return
    const cancel = this.#context.clock.after(wait, () => {
      this.#timers.delete(account)
      this.#inFlight.track(this.#report(account)).catch(error => {
        this.#onError(error)
        this.#schedule(account, firstRetry)
      })
    })
    this.#timers.set(account, cancel)
  }

  async #report(id: string): Promise<void> {
    const { accounts } = this.#context.store
    const account = await accounts.get(id)
    if (account?.receivedMail === undefined) return await this.#mail.clearError(id)
    const texts = await this.#listNew(account)
    const [latest] = texts
    if (latest === undefined) return
    const wait = await this.#mail.send(id, formatMail(account.receivedMail, texts))
    if (wait !== undefined) return this.#schedule(id, wait)
    await accounts.change(id, current =>
      (current.receivedMailed ?? '') < latest.id
        ? { ...current, receivedMailed: latest.id }
        : current,
    )
  }

  /** The texts that were not mailed, newest first; one more than a mail has, if there are more. */
  async #listNew({ id, receivedMailed = '' }: Account): Promise<ReceivedText[]> {
    const query = { account: id, count: maxTexts + 1 }
    const texts = await this.#context.store.receivedTexts.list(query)
    return texts.filter(each => each.id > receivedMailed && each.event !== undefined)
  }
}

function formatMail(to: string, texts: readonly ReceivedText[]): OutgoingMail {
  const shown = texts.slice(0, maxTexts).reverse()
  const [first] = shown
  const sender = texts.length === 1 ? ` from ${toLine(first?.from ?? '')}` : ''
  const more = texts.length > maxTexts ? ['Older texts are in the dashboard.', ''] : []
  return {
    to,
    subject: `smsrelay: ${pluralize(shown.length, 'text')}${sender}`,
    text: [...more, ...shown.flatMap(formatText)].join('\n'),
  }
}

function formatText(text: ReceivedText): string[] {
  const { from, to, line, receivedAt, subject, media = [] } = text
  return [
    `From: ${toLine(from)}`,
    ...(to === undefined ? [] : [`To: ${toLine(to)}`]),
    ...(line === undefined ? [] : [`Received by: ${toLine(line)}`]),
    `Time: ${formatDateTime(receivedAt)} UTC`,
    ...(subject === undefined || media.length === 0 ? [] : [`Subject: ${toLine(subject)}`]),
    '',
    describeReceived(text),
    ...media,
    '',
    '--',
    '',
  ]
}

function toLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}
