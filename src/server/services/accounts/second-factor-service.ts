import {
  isTotpCode,
  maxPasskeys,
  normalizeCode,
  type Passkey,
  putPasskey,
  removePasskey,
  removeTotp,
  type SecondFactor,
  useRecoveryCode,
  useTotpStep,
} from '../../../domain/account/second-factor.js'
import { RelayError } from '../../../errors.js'
import { createLowercaseSecret, hashText } from '../../../util/crypto/secrets.js'
import { findTotpStep } from '../../../util/crypto/totp.js'
import type { ServiceContext } from '../service-context.js'
import { changeSecondFactor, getSecondFactor } from './change-second-factor.js'
import { CodeThrottle } from './code-throttle.js'
import { getSignerId, type Signer } from './signer.js'

const recoveryCodes = { count: 10, length: 15 }

/**
 * Changes second factors, and checks their codes. A second factor is a field of the record with the
 * password, so that the store commits the use of a code once, whichever nodes get it.
 */
export class SecondFactorService {
  readonly #context: Pick<ServiceContext, 'store' | 'clock' | 'metrics'>
  readonly #throttle: CodeThrottle

  constructor(context: Pick<ServiceContext, 'store' | 'clock' | 'metrics'>) {
    this.#context = context
    this.#throttle = new CodeThrottle(context)
  }

  createTotpSecret(): string {
    return createLowercaseSecret()
  }

  /**
   * Sets up an authenticator app that shows this code, in place of an earlier one. Resolves to new
   * recovery codes if there was no second factor. Throws `invalid_parameter`.
   */
  async setUpTotp(signer: Signer, secret: string, code: string): Promise<string[]> {
    const now = this.#context.clock.now()
    const step = findTotpStep(secret, normalizeCode(code), now)
    if (!/^[a-z2-7]{32}$/.test(secret) || step === undefined) throw wrongCodeError()
    const totp = { secret, lastStep: step, createdAt: now }
    return await this.#add(signer, factor => ({ ...factor, totp }))
  }

  /**
   * Adds a passkey. Resolves to new recovery codes if there was no second factor. Throws
   * `invalid_parameter`.
   */
  async addPasskey(signer: Signer, passkey: Passkey): Promise<string[]> {
    return await this.#add(signer, factor => {
      if ((factor.passkeys ?? []).length < maxPasskeys) return putPasskey(factor, passkey)
      throw new RelayError('invalid_parameter', `There can be ${maxPasskeys} passkeys at most.`)
    })
  }

  async #add(signer: Signer, add: (factor: SecondFactor) => SecondFactor): Promise<string[]> {
    const codes = createRecoveryCodes()
    const first = { recoveryCodes: codes.map(hashCode) }
    let isFirst = false
    await changeSecondFactor(this.#context.store, signer, factor => {
      isFirst = factor === undefined
      return add(factor ?? first)
    })
    return isFirst ? codes.map(formatRecoveryCode) : []
  }

  /** Replaces the recovery codes. Resolves to the new ones; none without a second factor. */
  async replaceRecoveryCodes(signer: Signer): Promise<string[]> {
    const codes = createRecoveryCodes()
    const changed = await changeSecondFactor(
      this.#context.store,
      signer,
      factor => factor && { ...factor, recoveryCodes: codes.map(hashCode) },
    )
    return changed === undefined ? [] : codes.map(formatRecoveryCode)
  }

  async removeTotp(signer: Signer): Promise<void> {
    await changeSecondFactor(this.#context.store, signer, factor => factor && removeTotp(factor))
  }

  /** Removes a passkey; if it is the last one, without an app the second factor is off. */
  async removePasskey(signer: Signer, id: string): Promise<void> {
    await changeSecondFactor(
      this.#context.store,
      signer,
      factor => factor && removePasskey(factor, id),
    )
  }

  /**
   * Checks a code of the authenticator app, or a recovery code, and marks it as used. Throws
   * `invalid_client`, and `too_many_requests` after many wrong codes.
   */
  async useCode(signer: Signer, typed: string): Promise<void> {
    const code = normalizeCode(typed)
    const isRight = isTotpCode(code)
      ? await this.#throttle.attempt(getSignerId(signer), () => this.#useTotp(signer, code))
      : await this.#use(signer, factor => useRecoveryCode(factor, hashCode(code)))
    if (isRight) return
    this.#context.metrics.increment('auth_failures_total{kind="code"}')
    throw wrongSecondFactorError()
  }

  async #useTotp(signer: Signer, code: string): Promise<boolean> {
    const now = this.#context.clock.now()
    return await this.#use(signer, factor => {
      const step = factor.totp && findTotpStep(factor.totp.secret, code, now)
      return step === undefined ? undefined : useTotpStep(factor, step)
    })
  }

  /** Records the use of a passkey whose reply was right. Throws `invalid_client` for a copy. */
  async usePasskey(signer: Signer, id: string, counter: number): Promise<void> {
    const usedAt = this.#context.clock.now()
    const isRight = await this.#use(signer, factor => {
      const known = factor.passkeys?.find(each => each.id === id)
      // A passkey that counts, and whose counter has not grown, was copied.
      const isCopy = known === undefined || (counter > 0 && counter <= known.counter)
      return isCopy ? undefined : putPasskey(factor, { ...known, counter, usedAt })
    })
    if (!isRight) throw wrongSecondFactorError()
  }

  /** Whether `use` changed the second factor; undefined leaves it as it is. */
  async #use(
    signer: Signer,
    use: (factor: SecondFactor) => SecondFactor | undefined,
  ): Promise<boolean> {
    if (getSecondFactor(signer) === undefined) return false
    let isUsed = false
    await changeSecondFactor(this.#context.store, signer, factor => {
      const used = factor && use(factor)
      isUsed = used !== undefined
      return used ?? factor
    })
    return isUsed
  }
}

function createRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodes.count }, () =>
    createLowercaseSecret().slice(0, recoveryCodes.length),
  )
}

/** Groups of five characters. */
function formatRecoveryCode(code: string): string {
  return code.replace(/(.{5})(?=.)/g, '$1-')
}

function hashCode(code: string): string {
  return hashText(`smsrelay recovery code ${code}`)
}

function wrongCodeError(): RelayError {
  return new RelayError(
    'invalid_parameter',
    '`code`: This is not the code that the app shows now.',
    { hint: 'Check that the clock of the phone is right, and type the next code.' },
  )
}

/** A wrong code or passkey; the same error as for a code that was used before. */
export function wrongSecondFactorError(): RelayError {
  return new RelayError('invalid_client', 'The code is wrong or was used before.', {
    hint: 'Send the next code of the authenticator app, or a recovery code.',
  })
}
