import { createSecret, hashText } from '../../../util/crypto/secrets.js'
import { findSignerById, getPasswordHash, getSignerId, type Signer } from '../accounts/signer.js'
import type { ServiceContext } from '../service-context.js'

/** Milliseconds between the password and the second factor of a sign-in. */
const lifetime = 10 * 60_000

/**
 * Sign-ins with the right password that wait for the second factor, on all nodes of the services.
 * Only the browser knows the secret of its sign-in, and each ends with one session at most.
 */
export class PendingSignIns {
  readonly #context: Pick<ServiceContext, 'store' | 'clock'>

  constructor(context: Pick<ServiceContext, 'store' | 'clock'>) {
    this.#context = context
  }

  async begin(signer: Signer): Promise<string> {
    const { store, clock } = this.#context
    const secret = createSecret()
    const until = clock.now() + lifetime
    const password = hashText(getPasswordHash(signer))
    const record = { signer: getSignerId(signer), password, until }
    await store.limits.change('pending sign-in', hashText(secret), until, () => record)
    return secret
  }

  /** Finds a sign-in by its secret; undefined if it has ended or the password was changed. */
  async find(secret: string): Promise<Signer | undefined> {
    const { store, clock } = this.#context
    const found = await store.limits.get('pending sign-in', hashText(secret))
    if (found === undefined || found.until <= clock.now()) return undefined
    const signer = await findSignerById(store, found.signer)
    const isCurrent = signer && hashText(getPasswordHash(signer)) === found.password
    return isCurrent ? signer : undefined
  }

  /** Ends a sign-in; of several calls at the same time, on any nodes, one resolves to true. */
  async end(secret: string): Promise<boolean> {
    const { limits } = this.#context.store
    const { before } = await limits.change('pending sign-in', hashText(secret), 0, () => null)
    return before !== undefined
  }
}
