import type { IncomingMessage, ServerResponse } from 'node:http'
import { isRelayError } from '../../../errors.js'
import { type Caller, type TokenService, toTokenId } from '../../services/accounts/token-service.js'
import { getCookie, setCookie } from './cookies.js'

const sessionCookie = 'smsrelay_session'

/** A person who is signed in. */
export interface Session {
  /** The User Login token that the browser keeps. */
  readonly token: string
  readonly caller: Caller
}

/** The token a browser sent, whether or not it is good for something. */
export function getSessionToken(request: IncomingMessage, secure: boolean): string | undefined {
  return getCookie(request, sessionCookie, secure)
}

/**
 * The session of a request; only a User Login token is one. What a page loads by itself, parts of it and its events,
 * does not extend its life: a page left open would keep the session for ever.
 */
export async function findSession(
  tokens: TokenService,
  request: IncomingMessage,
  secure: boolean,
): Promise<Session | undefined> {
  const token = getSessionToken(request, secure)
  if (token === undefined || token === '') return undefined
  try {
    const caller = await tokens.getCaller(toTokenId(token), !isAutomatic(request))
    return caller.kind === 'login' ? { token, caller } : undefined
  } catch (error) {
    if (isRelayError(error, 'invalid_token')) return undefined
    throw error
  }
}

/** Lets the browser keep a session. */
export function setSessionCookie(response: ServerResponse, token: string, secure: boolean): void {
  setCookie(response, { name: sessionCookie, value: token, secure })
}

/** Has the browser forget its session. */
export function clearSessionCookie(response: ServerResponse, secure: boolean): void {
  setCookie(response, { name: sessionCookie, value: '', secure, maxAge: 0 })
}

function isAutomatic({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && (headers['hx-request'] === 'true' || acceptsEvents(headers.accept))
}

function acceptsEvents(accept = ''): boolean {
  return accept.includes('text/event-stream')
}
