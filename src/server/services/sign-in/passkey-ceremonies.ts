import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Passkey, SecondFactor } from '../../../domain/account/second-factor.js'
import { RelayError } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import { getSecondFactor } from '../accounts/change-second-factor.js'
import { getSignerEmail, getSignerId, type Signer } from '../accounts/signer.js'

export interface PasskeySite {
  readonly host: string
  /** Scheme, host and port of the site, as browsers write them. */
  readonly origin: string
}

/** Milliseconds for which a browser asks for a passkey. */
const timeout = 5 * 60_000

/** Algorithms that every passkey can have one of: EdDSA, ES256, RS256 (RFC 9053, RFC 8812). */
const algorithms = [-8, -7, -257]

/**
 * Finds the site of a base URL. Undefined if browsers have no passkeys there: an IP address cannot
 * be the identifier of a relying party, and without TLS there are passkeys only for this machine
 * (Web Authentication Level 2, section 5.1.3).
 */
export function findPasskeySite(baseUrl: string): PasskeySite | undefined {
  const { protocol, hostname, origin } = new URL(baseUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  return (protocol === 'https:' || isLocal) && !isAddress ? { host: hostname, origin } : undefined
}

export function listPasskeys(
  factor: SecondFactor | undefined,
  site: PasskeySite | undefined,
): readonly Passkey[] {
  return factor?.passkeys?.filter(({ host }) => host === site?.host) ?? []
}

export function createRegistration(
  signer: Signer,
  { host }: PasskeySite,
  challenge: string,
): PublicKeyCredentialCreationOptionsJSON {
  const email = getSignerEmail(signer)
  return {
    challenge,
    rp: { id: host, name: 'smsrelay' },
    // The passkey shows the name; the identifier must not tell who it is.
    user: { id: hashText(getSignerId(signer)), name: email, displayName: email },
    pubKeyCredParams: algorithms.map(alg => ({ type: 'public-key', alg })),
    excludeCredentials: (getSecondFactor(signer)?.passkeys ?? []).map(toDescriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation: 'none',
    timeout,
  }
}

export function createAssertion(
  passkeys: readonly Passkey[],
  { host }: PasskeySite,
  challenge: string,
): PublicKeyCredentialRequestOptionsJSON {
  return {
    challenge,
    rpId: host,
    allowCredentials: passkeys.map(toDescriptor),
    userVerification: 'preferred',
    timeout,
  }
}

function toDescriptor({ id, transports }: Pick<Passkey, 'id' | 'transports'>) {
  return { id, type: 'public-key' as const, ...(transports && { transports: [...transports] }) }
}

export interface CeremonyReply {
  readonly reply: string
  readonly challenge: string
  readonly site: PasskeySite
}

export type MadePasskey = Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports' | 'host'>

export async function verifyRegistration(made: CeremonyReply): Promise<MadePasskey> {
  const { reply, challenge, site } = made
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const found = await ignoreErrors(() =>
    verifyRegistrationResponse({
      response: JSON.parse(reply) as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    }),
  )
  if (found?.registrationInfo === undefined) throw notMadeError()
  const { id, publicKey, counter, transports = [] } = found.registrationInfo.credential
  const known = transports.filter(each => /^[a-z-]{1,20}$/.test(each)).slice(0, 8)
  return {
    id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    host: site.host,
    ...(known.length === 0 ? {} : { transports: known }),
  }
}

/** Checks a browser's reply by a passkey: its identifier and counter; undefined if it is wrong. */
export async function verifyAssertion(
  passkeys: readonly Passkey[],
  { reply, challenge, site }: CeremonyReply,
): Promise<Pick<Passkey, 'id' | 'counter'> | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  return await ignoreErrors(async () => {
    const response = JSON.parse(reply) as AuthenticationResponseJSON
    const passkey = passkeys.find(({ id }) => id === response.id)
    if (passkey === undefined) return undefined
    const { id, publicKey, counter } = passkey
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      credential: { id, publicKey: Buffer.from(publicKey, 'base64url'), counter },
      requireUserVerification: false,
    })
    return verified ? { id, counter: authenticationInfo.newCounter } : undefined
  })
}

/** The package throws an Error for each reply that is malformed or wrong. */
async function ignoreErrors<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify()
  } catch {
    return undefined
  }
}

function notMadeError(): RelayError {
  return new RelayError('invalid_parameter', 'The browser has not made a passkey for this page.', {
    hint: 'Try again. If a proxy is in front of the relay, start it with --base-url.',
  })
}
