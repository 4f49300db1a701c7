import type { Problem } from '../../domain/account/problem-list.js'
import { limits } from '../../domain/limits.js'
import type { ReceivedText } from '../../domain/phone/received-text.js'
import type { Subscription } from '../../domain/webhook/subscription.js'
import type { ServiceContext } from './service-context.js'

/**
 * Lists the problems that an operator must look at: those of this process, paused subscriptions,
 * alerts that could not be sent, and opt-outs of which the sender cannot be read.
 */
export class ProblemService {
  readonly #context: Pick<ServiceContext, 'store' | 'problems' | 'clock'>

  constructor(context: Pick<ServiceContext, 'store' | 'problems' | 'clock'>) {
    this.#context = context
  }

  async list(account: string): Promise<Problem[]> {
    const [others, pauses] = await Promise.all([
      this.listOthers(account),
      this.#listPauses(account),
    ])
    return [...others, ...pauses]
  }

  async listOthers(account: string): Promise<Problem[]> {
    const [alerts, optOuts] = await Promise.all([
      this.#listAlerts(account),
      this.#listUnreadOptOuts(account),
    ])
    return [...this.#context.problems.list(account), ...alerts, ...optOuts]
  }

  async #listPauses(account: string): Promise<Problem[]> {
    const subscriptions = await this.#context.store.subscriptions.list(account)
    const paused = subscriptions.filter(each => each.paused !== undefined)
    const [first] = paused
    return first === undefined ? [] : [toPauseProblem(first, paused.length)]
  }

  async #listAlerts(account: string): Promise<Problem[]> {
    const { limits: mails } = this.#context.store
    const alert = await mails.get('alert mail', account)
    const error = alert?.error ?? (await mails.get('received mail', account))?.error
    return error === undefined ? [] : [toAlertProblem(account, error)]
  }

  async #listUnreadOptOuts(account: string): Promise<Problem[]> {
    const { store, clock } = this.#context
    const received = await store.receivedTexts.list({ account, count: limits.listMax })
    const since = clock.now() - optOutAge
    const isUnread = ({ word, number, createdAt }: ReceivedText): boolean =>
      word === 'stop' && number === undefined && createdAt > since
    const unread = received.find(isUnread)
    return unread === undefined ? [] : [toOptOutProblem(unread)]
  }
}

const pauseHint =
  'Check the receiver, then run `smsrelay hook resume ID` or resume it in the dashboard.'
const alertHint =
  'Check serve --mail-relay and the addresses in the settings; the relay tries again.'

const optOutHint = 'Find out the number, and add it to the Do Not Text list.'
/** Milliseconds for which the service lists an opt-out whose sender cannot be read. */
const optOutAge = 7 * 24 * 60 * 60_000

const reasons = {
  request: 'by request',
  gone: 'because its receiver replied 410',
  exhausted: 'because all retries of an event failed',
} as const

function toPauseProblem({ id, account, event, paused }: Subscription, count: number): Problem {
  const others = count === 1 ? '' : ` ${count} subscriptions are paused in all.`
  const reason = reasons[paused?.reason ?? 'request']
  const message = `Subscription ${id} to ${event} is paused ${reason}.${others}`
  return { code: 'subscription_paused', account, message, hint: pauseHint }
}

function toOptOutProblem({ account, from, id }: ReceivedText): Problem {
  const message =
    `An opt-out was received from ${JSON.stringify(from)}, which is not a phone number: ` +
    `nothing was blocked (received text ${id}).`
  return { code: 'opt_out_unread', account, message, hint: optOutHint }
}

function toAlertProblem(account: string, error: string): Problem {
  const message = 'A mail of the account could not be sent.'
  const detail = `The error was: ${error}.`
  return { code: 'alert_mail_failed', account, message, detail, hint: alertHint }
}
