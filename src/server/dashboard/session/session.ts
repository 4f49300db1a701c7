import type { IncomingMessage, ServerResponse } from 'node:http'
import { isRelayError } from '../../../errors.js'
import { type Caller, type TokenService, tokenId } from '../../services/accounts/token-service.js'
import { cookieOf, setCookie } from './cookies.js'

const cookie = 'smsrelay_session'

/** A person who is signed in. */
export interface Session {
  /** The User Login token that the browser keeps. */
  readonly token: string
  readonly caller: Caller
}

/** The token a browser sent, whether or not it is good for something. */
export function sessionToken(request: IncomingMessage, secure: boolean): string | undefined {
  return cookieOf(request, cookie, secure)
}

/**
 * The session of a request; only a User Login token is one. What a page loads by itself, parts of it and its events,
 * does not extend its life: a page left open would keep the session for ever.
 */
export async function sessionOf(
  tokens: TokenService,
  request: IncomingMessage,
  secure: boolean,
): Promise<Session | undefined> {
  const token = sessionToken(request, secure)
  if (token === undefined || token === '') return undefined
  try {
    const caller = await tokens.callerOf(tokenId(token), !isByItself(request))
    return caller.kind === 'login' ? { token, caller } : undefined
  } catch (error) {
    if (isRelayError(error, 'invalid_token')) return undefined
    throw error
  }
}

/** Lets the browser keep a session. */
export function keepSession(response: ServerResponse, token: string, secure: boolean): void {
  setCookie(response, { name: cookie, value: token, secure })
}

/** Has the browser forget its session. */
export function dropSession(response: ServerResponse, secure: boolean): void {
  setCookie(response, { name: cookie, value: '', secure, maxAge: 0 })
}

function isByItself({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && (headers['hx-request'] === 'true' || isForEvents(headers.accept))
}

function isForEvents(accept = ''): boolean {
  return accept.includes('text/event-stream')
}
