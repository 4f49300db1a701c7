// Signing in to the dashboard, after the password (`accounts/`):
// - pending-sign-ins: sign-ins whose password was right and whose second factor is missing
// - passkey-service: asks browsers for passkeys, and checks their replies
// - passkey-ceremonies: what a browser is asked for, and what its reply must be
// - passkey-challenges: what passkeys sign, each once
// - session-service: lists and ends the sessions of a person

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { maxPasskeyName } from '../../../domain/account/second-factor.js'
import { RelayError } from '../../../errors.js'
import { getSecondFactor } from '../accounts/change-second-factor.js'
import {
  type SecondFactorService,
  wrongSecondFactorError,
} from '../accounts/second-factor-service.js'
import type { Signer } from '../accounts/signer.js'
import type { ServiceContext } from '../service-context.js'
import {
  createAssertion,
  createRegistration,
  listPasskeys,
  type PasskeySite,
  verifyAssertion,
  verifyRegistration,
} from './passkey-ceremonies.js'
import { PasskeyChallenges } from './passkey-challenges.js'

export interface PasskeyRequest<Options> {
  readonly challenge: string
  readonly options: Options
}

export interface PasskeyReply {
  readonly challenge: string
  readonly reply: string
}

/** Adds and uses passkeys. A challenge belongs to a secret: that of a session or of a sign-in. */
export class PasskeyService {
  readonly #context: Pick<ServiceContext, 'store' | 'clock'>
  readonly #challenges: PasskeyChallenges
  readonly #secondFactors: SecondFactorService

  constructor(
    context: Pick<ServiceContext, 'store' | 'clock'>,
    secondFactors: SecondFactorService,
  ) {
    this.#context = context
    this.#challenges = new PasskeyChallenges(context)
    this.#secondFactors = secondFactors
  }

  /** Asks for one of the passkeys of the person; undefined if none works at the site. */
  ask(
    signer: Signer,
    secret: string,
    site: PasskeySite | undefined,
  ): PasskeyRequest<PublicKeyCredentialRequestOptionsJSON> | undefined {
    const passkeys = listPasskeys(getSecondFactor(signer), site)
    if (site === undefined || passkeys.length === 0) return undefined
    const { id, challenge } = this.#challenges.create(secret)
    return { challenge: id, options: createAssertion(passkeys, site, challenge) }
  }

  askForNew(
    signer: Signer,
    secret: string,
    site: PasskeySite,
  ): PasskeyRequest<PublicKeyCredentialCreationOptionsJSON> {
    const { id, challenge } = this.#challenges.create(secret)
    return { challenge: id, options: createRegistration(signer, site, challenge) }
  }

  /** Checks the reply of a passkey, and records its use. Throws `invalid_client`. */
  async use(
    signer: Signer,
    secret: string,
    site: PasskeySite | undefined,
    { challenge: id, reply }: PasskeyReply,
  ): Promise<void> {
    const challenge = await this.#challenges.use(secret, id)
    const passkeys = listPasskeys(getSecondFactor(signer), site)
    if (challenge === undefined || site === undefined) throw wrongSecondFactorError()
    const used = await verifyAssertion(passkeys, { reply, challenge, site })
    if (used === undefined) throw wrongSecondFactorError()
    await this.#secondFactors.usePasskey(signer, used.id, used.counter)
  }

  /**
   * Adds the passkey in a reply. Resolves to new recovery codes if there was no second factor.
   * Throws `invalid_parameter`.
   */
  async add(
    signer: Signer,
    secret: string,
    site: PasskeySite,
    { challenge: id, reply, name }: PasskeyReply & { readonly name: string },
  ): Promise<string[]> {
    if (name === '' || name.length > maxPasskeyName)
      throw new RelayError(
        'invalid_parameter',
        `\`name\` must have 1 to ${maxPasskeyName} characters.`,
      )
    const challenge = await this.#challenges.use(secret, id)
    if (challenge === undefined)
      throw new RelayError('invalid_parameter', 'The page is out of date.', {
        hint: 'Press the button again.',
      })
    const made = await verifyRegistration({ reply, challenge, site })
    const createdAt = this.#context.clock.now()
    return await this.#secondFactors.addPasskey(signer, { ...made, name, createdAt })
  }
}
