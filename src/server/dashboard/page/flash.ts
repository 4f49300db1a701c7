import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import { isSameSecret } from '../../../util/crypto/secrets.js'
import { getCookie, setCookie } from '../session/cookies.js'
import { deriveSecret } from '../session/csrf.js'

const flashCookie = 'smsrelay_flash'
const maxTextLength = 600

export interface Flash {
  readonly kind: 'done' | 'failed'
  readonly text: string
  /** Path of a form without fields that takes back what was done; for the button "Undo". */
  readonly undo?: string
}

/**
 * Sets the cookie with a message for the next page; it is signed with the session, so that others
 * cannot forge it.
 */
export function setFlash(
  response: HttpResponse,
  flash: Flash,
  session: string,
  secure: boolean,
): void {
  const text =
    flash.text.length > maxTextLength ? `${flash.text.slice(0, maxTextLength)}…` : flash.text
  const payload = Buffer.from(JSON.stringify({ ...flash, text })).toString('base64url')
  const value = `${payload}.${deriveSecret(session, `flash ${payload}`)}`
  setCookie(response, { name: flashCookie, value, secure, maxAge: 60 })
}

/**
 * Reads the message for the next page and deletes its cookie; undefined if its signature is
 * invalid.
 */
export function takeFlash(
  request: HttpRequest,
  response: HttpResponse,
  session: string,
  secure: boolean,
): Flash | undefined {
  const value = getCookie(request, flashCookie, secure)
  if (value === undefined) return undefined
  setCookie(response, { name: flashCookie, value: '', secure, maxAge: 0 })
  const [payload = '', signature = ''] = value.split('.')
  if (!isSameSecret(signature, deriveSecret(session, `flash ${payload}`))) return undefined
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Flash
}
