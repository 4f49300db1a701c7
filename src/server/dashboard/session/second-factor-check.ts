import type { HttpRequest } from '../../../net/server/http-request.js'
import type { BodyFields } from '../../http/request-body.js'
import type { ServerContext } from '../../http/server-context.js'
import { getSecondFactor } from '../../services/accounts/change-second-factor.js'
import type { Signer } from '../../services/accounts/signer.js'
import { findPasskeySite, type PasskeySite } from '../../services/sign-in/passkey-ceremonies.js'

export const secondFactorFieldNames = {
  code: 'code',
  challenge: 'challenge',
  passkey: 'passkey',
} as const

export interface SecondFactorPrompt {
  readonly hasApp: boolean
  /** Present if one of the person's passkeys works at this address. */
  readonly passkey?: {
    readonly challenge: string
    /** What `navigator.credentials.get` takes as `publicKey`, with base64url in place of bytes. */
    readonly options: object
  }
}

export type SecondFactorContext = Pick<ServerContext, 'secondFactors' | 'passkeys' | 'getBaseUrl'>

export function getPasskeySite(
  { getBaseUrl }: Pick<ServerContext, 'getBaseUrl'>,
  request: HttpRequest,
): PasskeySite | undefined {
  return findPasskeySite(getBaseUrl(request))
}

/**
 * What a form of the dashboard asks a person for; undefined without a second factor.
 * @param secret that of the session, or of the sign-in
 */
export function askForSecondFactor(
  context: SecondFactorContext,
  request: HttpRequest,
  signer: Signer,
  secret: string,
): SecondFactorPrompt | undefined {
  const factor = getSecondFactor(signer)
  if (factor === undefined) return undefined
  const passkey = context.passkeys.ask(signer, secret, getPasskeySite(context, request))
  return { hasApp: factor.totp !== undefined, ...(passkey && { passkey }) }
}

export function describeWrongFactor({ hasApp }: Pick<SecondFactorPrompt, 'hasApp'>): string {
  return hasApp
    ? 'The code is wrong or was used before. Type the next one that the app shows.'
    : 'The passkey or the recovery code was not accepted. Try another one.'
}

/**
 * Checks the code or the passkey in the fields of a dashboard form, and marks it as used. Throws
 * `invalid_client`, and `too_many_requests` after many wrong codes.
 */
export async function checkSecondFactor(
  context: SecondFactorContext,
  request: HttpRequest,
  { signer, secret }: { readonly signer: Signer; readonly secret: string },
  fields: BodyFields,
): Promise<void> {
  const read = (name: string) => String(fields[name] ?? '')
  const reply = read(secondFactorFieldNames.passkey)
  if (reply === '')
    return await context.secondFactors.useCode(signer, read(secondFactorFieldNames.code))
  const site = getPasskeySite(context, request)
  const challenge = read(secondFactorFieldNames.challenge)
  await context.passkeys.use(signer, secret, site, { challenge, reply })
}
