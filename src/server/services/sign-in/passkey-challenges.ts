import { createHmac } from 'node:crypto'
import { createSecret, hashText } from '../../../util/crypto/secrets.js'
import type { ServiceContext } from '../service-context.js'

/** Milliseconds for which a passkey can reply to a challenge. */
const lifetime = 10 * 60_000

export interface PasskeyChallenge {
  readonly id: string
  /** What the passkey signs, base64url. */
  readonly challenge: string
}

/**
 * What passkeys sign. A challenge of the service is derived from the secret of a session or of a
 * sign-in, so it is worthless in another browser, and all nodes know it. Each is used once.
 */
export class PasskeyChallenges {
  readonly #context: Pick<ServiceContext, 'store' | 'clock'>

  constructor(context: Pick<ServiceContext, 'store' | 'clock'>) {
    this.#context = context
  }

  create(secret: string): PasskeyChallenge {
    const until = this.#context.clock.now() + lifetime
    const id = createSecret(`${until.toString(36)}-`)
    return { id, challenge: deriveChallenge(secret, id) }
  }

  /** Marks a challenge as used, and resolves to it; undefined if it was used or has ended. */
  async use(secret: string, id: string): Promise<string | undefined> {
    const [, end = ''] = /^([0-9a-z]{8,9})-[\w-]{43}$/.exec(id) ?? []
    const until = Number.parseInt(end, 36)
    const now = this.#context.clock.now()
    if (!(until > now && until <= now + lifetime)) return undefined
    const challenge = deriveChallenge(secret, id)
    const key = hashText(challenge)
    const { limits } = this.#context.store
    const { before } = await limits.change('passkey challenge', key, until, () => until)
    return before === undefined ? challenge : undefined
  }
}

function deriveChallenge(secret: string, id: string): string {
  return createHmac('sha256', secret).update(`smsrelay passkey ${id}`).digest('base64url')
}
