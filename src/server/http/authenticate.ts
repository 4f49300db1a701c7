import { RelayError } from '../../errors.js'
import type { RequestMetadata } from '../../net/server/http-request.js'
import { getSessionEnd, toTokenId } from '../services/accounts/session-token.js'
import type { Caller, TokenService } from '../services/accounts/token-service.js'

/**
 * For authentication: HTTP requests of one connection with the same header fields share one
 * `headers` object.
 */
const knownTokenIds = new WeakMap<RequestMetadata['headers'], string>()

/**
 * Authenticates a request: returns the caller by the bearer token (RFC 6750). Throws
 * `invalid_token`.
 */
export function authenticate(tokens: TokenService, { headers }: RequestMetadata): Promise<Caller> {
  let id = knownTokenIds.get(headers)
  if (id === undefined) {
    id = toTokenId(parseBearer(headers.authorization))
    knownTokenIds.set(headers, id)
  }
  return tokens.getCaller(id)
}

function parseBearer(header = ''): string {
  const match = /^bearer +([^\s]+)$/i.exec(header)
  // A session of the dashboard is no token of the API: a request here would extend it.
  if (match?.[1] === undefined || getSessionEnd(match[1], 0) !== undefined) {
    throw new RelayError(
      'invalid_token',
      'Send `Authorization: Bearer <ACCESS_TOKEN>`; GET /oauth issues a token.',
    )
  }
  return match[1]
}

export function requireFullScope(caller: Caller): void {
  if (caller.kind !== 'app') return
  throw new RelayError(
    'insufficient_scope',
    'A token of the application key is only for NEXT, reports and received texts. ' +
      'Use a token of the API key.',
  )
}

export function requireAppKey(caller: Caller): void {
  if (caller.kind === 'app') return
  throw new RelayError(
    'insufficient_scope',
    'Only a token of the application key can get the next message. ' +
      'Get one with <SECRET_KEY>:<APP_KEY>.',
  )
}

export function requireLogin(caller: Caller): void {
  if (caller.kind === 'login') return
  throw new RelayError(
    'insufficient_scope',
    'Only a User Login token can read keys and change people. Get one with <EMAIL>:<PASSWORD>.',
  )
}

/**
 * Returns user and password of a request's Basic authorization (RFC 7617). Throws `invalid_client`.
 */
export function parseBasicCredentials(request: RequestMetadata): {
  user: string
  password: string
} {
  const match = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(request.headers.authorization ?? '')
  const text = match?.[1] === undefined ? '' : Buffer.from(match[1], 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon !== -1) return { user: text.slice(0, colon), password: text.slice(colon + 1) }
  throw new RelayError(
    'invalid_client',
    'Send `Authorization: Basic` with the base64 of <SECRET_KEY>:<API_KEY>.',
  )
}
