import { createHmac } from 'node:crypto'
import type { ServiceContext } from '../service-context.js'

/** Milliseconds for which a password counts as just entered. */
const lifetime = 10 * 60_000

export class PasswordConfirmations {
  readonly #context: Pick<ServiceContext, 'store' | 'clock'>

  constructor(context: Pick<ServiceContext, 'store' | 'clock'>) {
    this.#context = context
  }

  /** @param session the secret of the session, which the store never has */
  async add(session: string): Promise<void> {
    const { store, clock } = this.#context
    const until = clock.now() + lifetime
    await store.limits.change('confirmed password', toKey(session), until, () => until)
  }

  /** Until when the password counts, in milliseconds since the epoch; undefined if it does not. */
  async find(session: string): Promise<number | undefined> {
    const { store, clock } = this.#context
    const until = await store.limits.get('confirmed password', toKey(session))
    return until !== undefined && until > clock.now() ? until : undefined
  }

  async remove(session: string): Promise<void> {
    await this.#context.store.limits.change('confirmed password', toKey(session), 0, () => null)
  }
}

function toKey(session: string): string {
  return createHmac('sha256', session).update('smsrelay confirmed password').digest('base64url')
}
