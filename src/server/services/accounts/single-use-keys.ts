import type { Account } from '../../../domain/account/account.js'
import type { ServiceContext } from '../service-context.js'

const lifetime = 24 * 60 * 60_000

/** Remembers keys that were used, on all nodes of the services, for a day. */
export class SingleUseKeys {
  readonly #context: Pick<ServiceContext, 'store' | 'clock'>

  constructor(context: Pick<ServiceContext, 'store' | 'clock'>) {
    this.#context = context
  }

  /**
   * Runs work once for an account's key; undefined if the key was used before. A key whose work
   * fails can be used again.
   */
  async runOnce<T>({ id }: Account, key: string, work: () => Promise<T>): Promise<T | undefined> {
    const { limits } = this.#context.store
    const until = this.#context.clock.now() + lifetime
    const record = `${id} ${key}`
    const { before } = await limits.change('use', record, until, () => true)
    if (before !== undefined) return undefined
    try {
      return await work()
    } catch (error) {
      await limits.change('use', record, until, () => null)
      throw error
    }
  }
}
