import type { Problem } from '../../domain/account/problem-list.js'
import type { Subscription } from '../../domain/webhook/subscription.js'
import type { ServiceContext } from './service-context.js'

/**
 * Lists the problems that an operator must look at: those of this process, paused subscriptions,
 * and alerts that could not be sent.
 */
export class ProblemService {
  readonly #context: Pick<ServiceContext, 'store' | 'problems'>

  constructor(context: Pick<ServiceContext, 'store' | 'problems'>) {
    this.#context = context
  }

  async list(account: string): Promise<Problem[]> {
    const [pauses, alerts] = await Promise.all([
      this.#listPauses(account),
      this.#listAlerts(account),
    ])
    return [...this.#context.problems.list(account), ...pauses, ...alerts]
  }

  async listOthers(account: string): Promise<Problem[]> {
    const alerts = await this.#listAlerts(account)
    return [...this.#context.problems.list(account), ...alerts]
  }

  async #listPauses(account: string): Promise<Problem[]> {
    const subscriptions = await this.#context.store.subscriptions.list(account)
    const paused = subscriptions.filter(each => each.paused !== undefined)
    const [first] = paused
    return first === undefined ? [] : [toPauseProblem(first, paused.length)]
  }

  async #listAlerts(account: string): Promise<Problem[]> {
    const alertMail = await this.#context.store.limits.get('alert mail', account)
    return alertMail?.error === undefined ? [] : [toAlertProblem(account, alertMail.error)]
  }
}

const pauseHint =
  'Check the receiver, then run `smsrelay hook resume ID` or resume it in the dashboard.'
const alertHint = 'Check serve --mail-relay and the address of the alerts; the relay tries again.'

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

function toAlertProblem(account: string, error: string): Problem {
  const message = `An alert could not be sent by e-mail: ${error}.`
  return { code: 'alert_mail_failed', account, message, hint: alertHint }
}
