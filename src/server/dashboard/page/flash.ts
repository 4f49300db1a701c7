import type { IncomingMessage, ServerResponse } from 'node:http'
import { equalSecrets } from '../../../util/crypto/secrets.js'
import { cookieOf, setCookie } from '../session/cookies.js'
import { derived } from '../session/csrf.js'

const cookie = 'smsrelay_flash'
const longest = 600

/** What a page that was redirected to says first. */
export interface Flash {
  readonly kind: 'done' | 'failed'
  readonly text: string
}

/** Sends what the next page says along, signed for this session: nobody else can have the page say something. */
export function setFlash(
  response: ServerResponse,
  flash: Flash,
  session: string,
  secure: boolean,
): void {
  const text = flash.text.length > longest ? `${flash.text.slice(0, longest)}…` : flash.text
  const payload = Buffer.from(JSON.stringify({ ...flash, text })).toString('base64url')
  const value = `${payload}.${derived(session, `flash ${payload}`)}`
  setCookie(response, { name: cookie, value, secure, maxAge: 60 })
}

/** What the page before had to say, once. */
export function takeFlash(
  request: IncomingMessage,
  response: ServerResponse,
  session: string,
  secure: boolean,
): Flash | undefined {
  const value = cookieOf(request, cookie, secure)
  if (value === undefined) return undefined
  setCookie(response, { name: cookie, value: '', secure, maxAge: 0 })
  const [payload = '', signature = ''] = value.split('.')
  if (!equalSecrets(signature, derived(session, `flash ${payload}`))) return undefined
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Flash
}
