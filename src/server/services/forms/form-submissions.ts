// Forms of the dashboard that have their effect once, on all nodes of a store.
// 1. The first of equal submissions is recorded as running, and does the work.
// 2. While this node works, it renews the record: otherwise the work is lost, with its node. Nobody
//    knows what lost work did, so it runs again only if that changes nothing twice.
//    An equal submission waits: for the work on this node, or until the store has the result.
// 3. The result is stored encrypted, and given to each later one. Work that fails leaves nothing,
//    unless the store failed: it may have stored the effect, so the work counts as lost.
// - form-submissions: this; session-records: pages with a secret, and input of forms, which are
//   encrypted for their session
import { createHmac, randomUUID } from 'node:crypto'
import { isRelayError, RelayError } from '../../../errors.js'
import { repeat } from '../../../util/async/repeat.js'
import { openSealedText, sealText } from '../../../util/crypto/sealed-text.js'
import type { FormSubmission } from '../../store/limit-store.js'
import type { ServiceContext } from '../service-context.js'

/** Milliseconds for which the result of a form is given again. */
const resultLifetime = 24 * 60 * 60_000

/** Milliseconds after which the work of a form counts as lost, with the node that did it. */
const workTime = 15_000
const renewalInterval = workTime / 3

/** Milliseconds for which a repeated form waits for the result of the first one, or its loss. */
const patience = 30_000
const delays = { first: 25, max: 500 }

/** The result of a form's work; JSON can express a final one. */
export interface FormResult<T> {
  readonly value: T
  /** Whether the form has had its effect; otherwise it can be sent again. */
  readonly isFinal: boolean
}

/** A submitted form. */
export interface Submission {
  /** Secret of the form, which its page has and no store; it encrypts the result. */
  readonly secret: string
  /** The same text for equal submissions. */
  readonly text: string
  /** Whether the form has its effect once however often its work runs. */
  readonly isIdempotent: boolean
}

/** Runs the work of each submitted form once, whichever nodes its submissions reach. */
export class FormSubmissions {
  readonly #context: Pick<ServiceContext, 'store' | 'clock'>
  /** The work in progress on this node, by key of the submission. */
  readonly #running = new Map<string, Promise<void>>()

  constructor(context: Pick<ServiceContext, 'store' | 'clock'>) {
    this.#context = context
  }

  /**
   * Runs the work of a submission, unless an equal one has had its effect within a day: then
   * resolves to its result, which is stored encrypted with the secret of the form.
   * Waits for an equal one in progress. After an error the work can run again, unless nobody knows
   * what it did. Throws `unavailable` if the work of the other takes long, and `invalid_state` if
   * it was lost or the store failed.
   */
  async runOnce<T>(submission: Submission, work: () => Promise<FormResult<T>>): Promise<T> {
    const { secret, text: submitted, isIdempotent } = submission
    const key = createHmac('sha256', secret).update(`smsrelay ${submitted}`).digest('base64url')
    const { clock } = this.#context
    const end = clock.monotonic() + patience
    for (let delay = delays.first; ; delay = Math.min(2 * delay, delays.max)) {
      const run = randomUUID()
      const state = await this.#start(key, run, isIdempotent)
      if ('result' in state) {
        const text = await openSealedText(state.result, toSealKey(secret))
        if (text !== undefined) return JSON.parse(text) as T
      }
      if ('run' in state && state.run === run)
        return await this.#run({ secret, key, run, isIdempotent }, work)
      const running = this.#running.get(key)
      if (running === undefined && isLost(state, clock.now()))
        throw unknownEffectError('The work on this form was interrupted.')
      if (clock.monotonic() >= end) throw stillRunningError()
      await (running ?? clock.sleep(delay))
    }
  }

  async #start(key: string, run: string, isIdempotent: boolean): Promise<FormSubmission> {
    const { store, clock } = this.#context
    const now = clock.now()
    const mine = { run, until: now + workTime }
    const { after = mine } = await store.limits.change('form', key, now + resultLifetime, state =>
      state === undefined || (isIdempotent && isLost(state, now)) ? mine : state,
    )
    return after
  }

  async #run<T>(owned: OwnedRun, work: () => Promise<FormResult<T>>): Promise<T> {
    const ignore = () => {}
    const { clock } = this.#context
    const renew = async () => await this.#renew(owned)
    const renewing = repeat(renewalInterval, renew, { clock, onError: ignore })
    renewing.start()
    const running = this.#work(owned, work).finally(async () => await renewing.stop())
    const ended = running.then(ignore, ignore)
    this.#running.set(owned.key, ended)
    try {
      return await running
    } finally {
      if (this.#running.get(owned.key) === ended) this.#running.delete(owned.key)
    }
  }

  /** Says that this node still works on the form. */
  async #renew({ key, run }: OwnedRun): Promise<void> {
    const { store, clock } = this.#context
    const now = clock.now()
    await store.limits.change('form', key, now + resultLifetime, state => {
      const isMine = state !== undefined && 'run' in state && state.run === run
      return isMine ? { run, until: now + workTime } : (state ?? null)
    })
  }

  async #work<T>(owned: OwnedRun, work: () => Promise<FormResult<T>>): Promise<T> {
    try {
      const { value, isFinal } = await work()
      const sealKey = toSealKey(owned.secret)
      const result = isFinal ? await sealText(JSON.stringify(value), sealKey) : undefined
      await this.#settle(owned, result === undefined ? null : { result })
      return value
    } catch (error) {
      const mayBeDone = !owned.isIdempotent && hasUnknownEffect(error)
      await this.#settle(owned, mayBeDone ? { run: owned.run, until: 0 } : null)
      if (!mayBeDone || !isRelayError(error)) throw error
      throw unknownEffectError(error.message, error)
    }
  }

  /**
   * Stores the result or lost work, or lets the form run again (`null`), unless another run has
   * begun since. The work is done even if the store fails.
   */
  async #settle({ key, run }: OwnedRun, outcome: FormSubmission | null): Promise<void> {
    const { store, clock } = this.#context
    const until = clock.now() + resultLifetime
    try {
      await store.limits.change('form', key, until, state => {
        if (state !== undefined && 'result' in state) return state
        if (outcome !== null && 'result' in outcome) return outcome
        return state?.run === run ? outcome : (state ?? null)
      })
    } catch (error) {
      if (!isRelayError(error, 'unavailable')) throw error
    }
  }
}

/** A run of a form's work that the store has recorded. */
interface OwnedRun {
  readonly secret: string
  readonly key: string
  readonly run: string
  readonly isIdempotent: boolean
}

function toSealKey(secret: string): { readonly secret: string; readonly use: string } {
  return { secret, use: 'form' }
}

/** Whether the store has a form whose work will never end. */
function isLost(state: FormSubmission, now: number): boolean {
  return 'run' in state && state.until <= now
}

/** Whether work that threw the error may have had its effect: other errors say why it had none. */
function hasUnknownEffect(error: unknown): boolean {
  return !isRelayError(error) || error.code === 'unavailable'
}

function unknownEffectError(reason: string, cause?: unknown): RelayError {
  return new RelayError(
    'invalid_state',
    `${reason} The relay does not know whether the form had its effect.`,
    { hint: 'Look whether it had. If not, go back to the form and send it again.', cause },
  )
}

function stillRunningError(): RelayError {
  return new RelayError('unavailable', 'The form was already sent and is still in progress.', {
    hint: 'Send it again in a moment to see its result. It has its effect only once.',
    retryAfter: 5,
  })
}
