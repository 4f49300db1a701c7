import type { MailLimits } from '../../domain/limits.js'
import { SmtpRejection } from './smtp-reply.js'

/** Counts the connections of each address, so that none takes all of them. */
export class SmtpConnections {
  readonly #most: number
  readonly #open = new Map<string, number>()

  constructor({ connectionsEach }: Pick<MailLimits, 'connectionsEach'>) {
    this.#most = connectionsEach
  }

  /** Counts one. Throws {@link Refusal} when the address has as many as it may. */
  open(address: string): void {
    const open = this.#open.get(address) ?? 0
    if (open >= this.#most)
      throw new SmtpRejection(421, '4.7.0 Too many connections from your address.')
    this.#open.set(address, open + 1)
  }

  /** Counts one less. */
  close(address: string): void {
    const open = this.#open.get(address) ?? 0
    if (open > 1) this.#open.set(address, open - 1)
    else this.#open.delete(address)
  }
}
