import { createHmac } from 'node:crypto'
import type { Account } from '../../../domain/account/account.js'
import { isRelayError } from '../../../errors.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import { isSameSecret } from '../../../util/crypto/secrets.js'
import type { ServerContext } from '../../http/server-context.js'
import { getCookie, setCookie } from './cookies.js'

const proofCookie = 'smsrelay_account'

export interface EndedSession {
  readonly token: string
  /** Identifier of the account of the session. */
  readonly account: string
}

/**
 * Sets a cookie that proves that the session existed, also after it has ended and no store knows it
 * any more. A new password makes it worthless.
 */
export function setSessionProof(
  response: HttpResponse,
  account: Account,
  token: string,
  secure: boolean,
): void {
  const value = `${account.id}.${createProof(account, token)}`
  setCookie(response, { name: proofCookie, value, secure })
}

export function clearSessionProof(response: HttpResponse, secure: boolean): void {
  setCookie(response, { name: proofCookie, value: '', secure, maxAge: 0 })
}

/** Finds the session of a request that was one of the account in the proof. */
export async function findEndedSession(
  { accounts, isSecure }: Pick<ServerContext, 'accounts' | 'isSecure'>,
  request: HttpRequest,
  token: string | undefined,
): Promise<EndedSession | undefined> {
  const [id = '', proof = ''] = getCookie(request, proofCookie, isSecure(request))?.split('.') ?? []
  if (token === undefined || id === '') return undefined
  try {
    const account = await accounts.getById(id)
    return isSameSecret(proof, createProof(account, token)) ? { token, account: id } : undefined
  } catch (error) {
    if (isRelayError(error, 'not_found')) return undefined
    throw error
  }
}

/** Only the relay knows the hash of the password. */
function createProof({ passwordHash }: Account, token: string): string {
  return createHmac('sha256', passwordHash).update(`smsrelay session ${token}`).digest('base64url')
}
