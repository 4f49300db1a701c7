import { createHmac } from 'node:crypto'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import { isSameSecret } from '../../../util/crypto/secrets.js'
import type { ServerContext } from '../../http/server-context.js'
import { getPasswordHash, getSignerId, type Signer } from '../../services/accounts/signer.js'
import { getCookie, setCookie } from './cookies.js'

const proofCookie = 'smsrelay_account'

export interface EndedSession {
  readonly token: string
  /** Identifier of the account or person of the session. */
  readonly signer: string
}

/**
 * Sets a cookie that proves that the session existed, also after it has ended and no store knows it
 * any more. It has one proof for each of two secrets, since a new password may have ended the
 * session, and the API key may be replaced meanwhile.
 */
export function setSessionProof(
  response: HttpResponse,
  signer: Signer,
  token: string,
  secure: boolean,
): void {
  const value = [getSignerId(signer), ...createProofs(signer, token)].join('.')
  setCookie(response, { name: proofCookie, value, secure })
}

export function clearSessionProof(response: HttpResponse, secure: boolean): void {
  setCookie(response, { name: proofCookie, value: '', secure, maxAge: 0 })
}

/** Finds the session of a request that was one of the signer in the proof. */
export async function findEndedSession(
  { accounts, isSecure }: Pick<ServerContext, 'accounts' | 'isSecure'>,
  request: HttpRequest,
  token: string | undefined,
): Promise<EndedSession | undefined> {
  const [id = '', ...proofs] = getCookie(request, proofCookie, isSecure(request))?.split('.') ?? []
  if (token === undefined || id === '') return undefined
  const signer = await accounts.findSigner(id)
  if (signer === undefined) return undefined
  const isProved = createProofs(signer, token).some((proof, at) =>
    isSameSecret(proofs[at] ?? '', proof),
  )
  return isProved ? { token, signer: id } : undefined
}

/** Only the relay knows the hash of the password; who knows the API key can do everything. */
function createProofs(signer: Signer, token: string): string[] {
  return [getPasswordHash(signer), signer.account.apiKeyHash].map(hash =>
    createHmac('sha256', hash)
      .update(`smsrelay session ${getSignerId(signer)} ${token}`)
      .digest('base64url'),
  )
}
